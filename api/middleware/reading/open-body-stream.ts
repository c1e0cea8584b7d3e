import type { IncomingMessage } from 'node:http';
import { format, isTypeValid, parse } from 'content-type';
import { ServiceError } from '../../../domain/service-error.ts';
import type { StreamContract } from '../../contract/define-contracts.ts';
import type { StreamedBody } from '../../contract/check-request.ts';
import { BodyTooLate } from './read-body.ts';

/** A sender who says nothing for so long is gone. */
const SILENCE_LIMIT_MS = 60_000;

/** 200 MB at half a megabit a second; docs/limits.md#body-sizes */
export const RECORDING_DEADLINE_MS = 3_600_000;

/** What is stored of a sender's words, to be sent back as a header. */
const LONGEST_TYPE = 100;
const PLAIN_PARAMETER = /^[\w.+, -]{1,60}$/;

/** Checks what the headers say of a streamed body: 400 for another media type, 413 when it is declared too large. */
export function openBodyStream(
  request: IncomingMessage,
  { mediaTypes, maxBytes }: StreamContract,
  deadlineMs = RECORDING_DEADLINE_MS,
): StreamedBody {
  const contentType = readType(request.headers['content-type'] ?? '', mediaTypes);
  const encoding = request.headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (contentType === null || encoding !== 'identity') {
    throw new ServiceError(
      'unsupported_media_type',
      `Send the body as ${mediaTypes.join(' or ')}, without encoding.`,
    );
  }
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
    throw new ServiceError('payload_too_large', `The request body is larger than ${maxBytes} bytes.`);
  }
  return { contentType, pieces: piecesOf(request, deadlineMs) };
}

/** The type in its usual spelling; null when it is another one, or odd. */
function readType(header: string, mediaTypes: readonly string[]): string | null {
  const { type, parameters } = parse(header, { comma: true });
  const values = Object.entries(parameters).flat();
  const isOfType = isTypeValid(type) && mediaTypes.some((range) => isWithin(range, type));
  if (!isOfType || !values.every((value) => PLAIN_PARAMETER.test(value))) return null;
  const contentType = format({ type, parameters });
  return contentType.length <= LONGEST_TYPE ? contentType : null;
}

function isWithin(range: string, type: string): boolean {
  return range.endsWith('/*') ? type.startsWith(range.slice(0, -1)) : type === range;
}

/** Reads piece by piece, as fast as they are taken. As none lets long wait for itself, each may tell whether it is late. */
async function* piecesOf(request: IncomingMessage, deadlineMs: number): AsyncGenerator<Uint8Array> {
  const until = performance.now() + deadlineMs;
  request.setTimeout(SILENCE_LIMIT_MS);
  try {
    for await (const piece of request.iterator({ destroyOnReturn: false })) {
      if (performance.now() > until) throw new BodyTooLate(deadlineMs);
      yield piece as Uint8Array;
    }
  } catch (error) {
    if (error instanceof BodyTooLate) throw error;
    throw new ServiceError('malformed_request', 'The request body broke off.');
  } finally {
    request.setTimeout(0);
  }
}
