import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../../../domain/service-error.ts';
import type { StreamContract } from '../../contract/define-contracts.ts';
import type { StreamedBody } from '../../contract/check-request.ts';

/** A sender who says nothing for so long is gone. */
const SILENCE_LIMIT_MS = 60_000;

const SUBTYPE = /^[a-z0-9][a-z0-9.+-]{0,60}(?: ?; ?[a-z0-9-]{1,40}=(?:[\w.+-]{1,60}|"[\w.+, -]{1,60}"))*$/i;

/** Checks what the headers say of a streamed body: 400 for another media type, 413 when it is declared too large. */
export function openBodyStream(
  request: IncomingMessage,
  { mediaType, maxBytes }: StreamContract,
): StreamedBody {
  const contentType = request.headers['content-type']?.trim() ?? '';
  const encoding = request.headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (!isOfType(contentType, mediaType) || encoding !== 'identity') {
    throw new ServiceError('unsupported_media_type', `Send the body as ${mediaType}, without encoding.`);
  }
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
    throw new ServiceError('payload_too_large', `The request body is larger than ${maxBytes} bytes.`);
  }
  return { contentType, pieces: piecesOf(request) };
}

function isOfType(contentType: string, mediaType: string): boolean {
  const prefix = mediaType.slice(0, -1);
  return contentType.toLowerCase().startsWith(prefix) && SUBTYPE.test(contentType.slice(prefix.length));
}

/**
 * Reads piece by piece, as fast as they are taken. When reading stops early the rest is let through unseen: a client
 * that is still sending would not see an answer before.
 */
async function* piecesOf(request: IncomingMessage): AsyncGenerator<Uint8Array> {
  request.setTimeout(SILENCE_LIMIT_MS);
  try {
    for await (const piece of request.iterator({ destroyOnReturn: false })) yield piece as Uint8Array;
  } catch {
    throw new ServiceError('malformed_request', 'The request body broke off.');
  } finally {
    request.setTimeout(0);
    request.resume();
  }
}
