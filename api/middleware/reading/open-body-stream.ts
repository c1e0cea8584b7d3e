import type { IncomingMessage } from 'node:http';
import { format, isTypeValid, parse } from 'content-type';
import { ServiceError } from '../../../domain/service-error.ts';
import type { StreamContract } from '../../contract/define-contracts.ts';
import type { StreamedBody } from '../../contract/check-request.ts';

/** How fast a streamed body must arrive: docs/limits.md#body-sizes */
export interface UploadPace {
  /** The maximum time from waiting for the first byte until the last byte. */
  deadlineMs: number;
  /** The longest time without a byte. */
  silentMs: number;
  /**
   * The minimum average speed, counting only time in which the service waits for the sender, after the first `startMs`.
   */
  bytesPerSecond: number;
  startMs: number;
}

export const RECORDING_DEADLINE_MS = 3_600_000;

const PACE: UploadPace = {
  deadlineMs: RECORDING_DEADLINE_MS,
  silentMs: 60_000,
  bytesPerSecond: 16 * 1024,
  startMs: 10_000,
};

/** The maximum length of the content type, which is stored and sent back as a header. */
const MAX_TYPE = 100;
const PLAIN_PARAMETER = /^[\w.+, -]{1,60}$/;

/** Checks the headers of a streamed body: 400 for another media type, 413 when it is declared too large. */
export function openBodyStream(
  request: IncomingMessage,
  { mediaTypes, maxBytes }: StreamContract,
  pace: Partial<UploadPace> = {},
): StreamedBody {
  const contentType = readType(request.headers['content-type'] ?? '', mediaTypes);
  const encoding = request.headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (contentType === null || encoding !== 'identity') {
    throw new ServiceError(
      'unsupported_media_type',
      `Send the body as ${mediaTypes.join(' or ')}, without compression.`,
    );
  }
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
    throw new ServiceError('payload_too_large', `The request body is larger than ${maxBytes} bytes.`);
  }
  return { contentType, pieces: piecesOf(request, { ...PACE, ...pace }) };
}

/** The content type in its usual spelling; null if it is malformed or not accepted. */
function readType(header: string, mediaTypes: readonly string[]): string | null {
  const { type, parameters } = parse(header, { comma: true });
  const values = Object.entries(parameters).flat();
  const isOfType = isTypeValid(type) && mediaTypes.some((range) => isWithin(range, type));
  if (!isOfType || !values.every((value) => PLAIN_PARAMETER.test(value))) return null;
  const contentType = format({ type, parameters });
  return contentType.length <= MAX_TYPE ? contentType : null;
}

function isWithin(range: string, type: string): boolean {
  return range.endsWith('/*') ? type.startsWith(range.slice(0, -1)) : type === range;
}

/** Reads pieces as fast as they are consumed. @throws `request_timeout`, `malformed_request` */
async function* piecesOf(request: IncomingMessage, pace: UploadPace): AsyncGenerator<Uint8Array> {
  const until = performance.now() + pace.deadlineMs;
  let waitedMs = 0;
  let bytes = 0;
  for (;;) {
    const now = performance.now();
    if (now > until) throw tooSlow(pace);
    const piece = request.read() as Buffer | null;
    if (piece) {
      bytes += piece.length;
      yield piece;
    } else if (request.readableEnded) {
      return;
    } else if (request.destroyed) {
      throw new ServiceError('malformed_request', 'The request body is incomplete. Send it again.');
    } else {
      const earnedMs = pace.startMs + (bytes / pace.bytesPerSecond) * 1000;
      await arrival(request, Math.min(pace.silentMs, earnedMs - waitedMs, until - now), pace);
      waitedMs += performance.now() - now;
    }
  }
}

/** Waits until more bytes have arrived or the body has ended. */
function arrival(request: IncomingMessage, withinMs: number, pace: UploadPace): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const late = setTimeout(() => reject(tooSlow(pace)), withinMs);
  const signs = ['readable', 'end', 'close', 'error'];
  for (const sign of signs) request.on(sign, resolve);
  return promise.finally(() => {
    clearTimeout(late);
    for (const sign of signs) request.off(sign, resolve);
  });
}

function tooSlow({ deadlineMs, silentMs, bytesPerSecond }: UploadPace): ServiceError {
  return new ServiceError(
    'request_timeout',
    `The body arrived too slowly. Send at least ${bytesPerSecond / 1024} KiB a second and all of it within ${deadlineMs / 1000} seconds, without a pause of ${silentMs / 1000} seconds.`,
  );
}
