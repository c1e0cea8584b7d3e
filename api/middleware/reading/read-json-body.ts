import type { IncomingMessage } from 'node:http';
import getRawBody from 'raw-body';
import { ServiceError } from '../../../domain/service-error.ts';

/** docs/limits.md#body-sizes */
const BODY_LIMIT_BYTES = 256 * 1024;

/** A sender who says nothing for so long is gone. */
const SILENCE_LIMIT_MS = 30_000;

const JSON_MEDIA_TYPE = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?;?\s*$/i;

/** Reads a JSON body. Refuses with 413 or 400; a refusal never repeats what was sent. */
export async function readJsonBody(
  request: IncomingMessage,
  { isOptional = false }: { isOptional?: boolean },
): Promise<unknown> {
  const bytes = await readBytes(request);
  if (bytes.length === 0 && isOptional) return {};
  if (bytes.length === 0) throw malformedJson('The request needs a JSON body.');
  checkMediaType(request);
  return parseJson(bytes);
}

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  request.setTimeout(SILENCE_LIMIT_MS);
  try {
    const length = request.headers['content-length'];
    return await getRawBody(request, { limit: BODY_LIMIT_BYTES, ...(length !== undefined && { length }) });
  } catch (error) {
    if (!isTooLarge(error)) throw new ServiceError('malformed_request', 'The request body broke off.');
    // Read on to the end, unseen: a client that is still sending would not see an answer before.
    request.resume();
    throw new ServiceError('payload_too_large', `The request body is larger than ${BODY_LIMIT_BYTES} bytes.`);
  } finally {
    request.setTimeout(0);
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'type' in error && error.type === 'entity.too.large';
}

function checkMediaType({ headers }: IncomingMessage): void {
  const isJson = JSON_MEDIA_TYPE.test(headers['content-type'] ?? '');
  const isPlain = (headers['content-encoding'] ?? 'identity').toLowerCase() === 'identity';
  if (isJson && isPlain) return;
  throw new ServiceError(
    'unsupported_media_type',
    'Send the body as uncompressed application/json in UTF-8.',
  );
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    // The parser's message quotes its input, so it goes no further.
    throw malformedJson('The request body is not valid JSON.');
  }
}

function malformedJson(message: string): ServiceError {
  return new ServiceError('malformed_json', message);
}
