import { z } from 'zod';

/** What a reader acknowledges with a cursor: the deliveries of the page that it came with. */
interface ReadPage {
  endpointId: string;
  deliveryIds: string[];
}

/** The most deliveries of a page. */
export const MAX_QUEUE_PAGE = 100;

const ID_BYTES = 16;
const MESSAGE = 'must be a `cursor` of this queue';

/**
 * A cursor names each delivery that was read, so that one which is committed later is never acknowledged with them,
 * wherever it belongs in the order.
 */
export function encodeQueueCursor({ endpointId, deliveryIds }: ReadPage): string {
  const hex = [endpointId, ...deliveryIds].map((id) => id.replaceAll('-', '')).join('');
  return Buffer.from(hex, 'hex').toString('base64url');
}

export const queueCursor = z
  .string()
  .regex(/^[A-Za-z0-9_-]+$/, MESSAGE)
  .transform((text, context): ReadPage => {
    const bytes = Buffer.from(text, 'base64url');
    const count = bytes.length / ID_BYTES;
    const ids = Number.isInteger(count)
      ? Array.from({ length: count }, (_, nr) => toId(bytes.subarray(nr * ID_BYTES, (nr + 1) * ID_BYTES)))
      : [];
    const [endpointId, ...deliveryIds] = ids;
    if (endpointId !== undefined && deliveryIds.length <= MAX_QUEUE_PAGE) return { endpointId, deliveryIds };
    context.addIssue({ code: 'custom', message: MESSAGE });
    return z.NEVER;
  })
  .describe(
    '`cursor` of the previous page: its deliveries end as `succeeded`. By default, nothing is acknowledged.',
  );

function toId(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
