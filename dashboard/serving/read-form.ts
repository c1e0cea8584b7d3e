import readRawBody from 'raw-body';
import { ServiceError } from '../../domain/service-error.ts';
import { requireOwnOrigin } from './forged-forms.ts';
import type { DashboardContext } from './state.ts';

const MAX_BYTES = 256 * 1024;
const FORM_TYPE = 'application/x-www-form-urlencoded';

/**
 * The fields of a form from one of our pages.
 * @throws PageForbiddenError when another site sent it
 * @throws ServiceError `payload_too_large`, `unsupported_media_type`, `malformed_request`
 */
export async function readForm(ctx: DashboardContext, ownOrigin: string): Promise<URLSearchParams> {
  requireOwnOrigin(ctx, ownOrigin);
  if (!ctx.is(FORM_TYPE))
    throw new ServiceError('unsupported_media_type', `A form must be sent as ${FORM_TYPE}.`);
  const { length } = ctx.request;
  try {
    const body = await readRawBody(ctx.req, { encoding: 'utf8', limit: MAX_BYTES, length: length ?? null });
    return readableFields(body);
  } catch (error) {
    if (error instanceof Error && 'type' in error && error.type === 'entity.too.large')
      throw new ServiceError('payload_too_large', 'The form is too large.');
    throw new ServiceError('malformed_request', 'The form did not arrive completely.');
  }
}

/** Removes invisible characters that PostgreSQL cannot store. */
export function readableFields(text: string): URLSearchParams {
  const fields = new URLSearchParams();
  for (const [name, value] of new URLSearchParams(text)) fields.append(name, value.replaceAll('\0', ''));
  return fields;
}
