import type { IncomingMessage } from 'node:http';
import { parse as parseContentType } from 'content-type';
import getRawBody from 'raw-body';
import { hasBody } from '../../../adapters/connections/connection-places.ts';
import { ServiceError } from '../../../domain/service-error.ts';
import type { RequestContract } from '../../contract/define-contracts.ts';
import { parseInSlices } from './parse-in-slices.ts';

/** The default limit; a route can allow more: docs/limits.md#body-sizes */
const BODY_LIMIT_BYTES = 256 * 1024;
const MAX_NOTHING_BYTES = 1024;

/** The maximum time from waiting for the first byte until the last byte. */
const BODY_DEADLINE_MS = 15_000;

/**
 * Reads a JSON body. Returns undefined when the route takes no body and the body is empty or `{}`. Refuses with 413,
 * 400 or 422, never repeating the input. @param clinicId the clinic to which the time for parsing a large body is
 * counted
 */
export async function readBody(
  request: IncomingMessage,
  { body, stream }: RequestContract,
  { clinicId, deadlineMs = BODY_DEADLINE_MS }: { clinicId: string; deadlineMs?: number | undefined },
): Promise<unknown> {
  if (stream || (!body && !hasBody(request))) return undefined;
  if (!body) return readNothing(request, deadlineMs);
  const bytes = await readBytes(request, body.maxBytes ?? BODY_LIMIT_BYTES, deadlineMs);
  if (bytes.length === 0 && body.isOptional) return {};
  if (bytes.length === 0) throw malformedJson('The request needs a JSON body.');
  checkMediaType(request);
  return parseJson(clinicId, bytes);
}

/** Accepts an empty body and `{}`, because some clients always send JSON. */
async function readNothing(request: IncomingMessage, deadlineMs: number): Promise<unknown> {
  const bytes = await readBytes(request, MAX_NOTHING_BYTES, deadlineMs).catch((error: unknown) => {
    if (error instanceof ServiceError && error.code === 'payload_too_large') return null;
    throw error;
  });
  return bytes && /^\s*(?:\{\s*\}\s*)?$/.test(bytes.toString('latin1')) ? undefined : bytes;
}

async function readBytes(request: IncomingMessage, limit: number, deadlineMs: number): Promise<Buffer> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const deadline = setTimeout(() => reject(new BodyTooLate(deadlineMs)), deadlineMs);
  const length = request.headers['content-length'];
  try {
    const read = getRawBody(request, { limit, ...(length !== undefined && { length }) });
    return await Promise.race([read, late]);
  } catch (error) {
    throw toRefusal(error, limit);
  } finally {
    clearTimeout(deadline);
  }
}

function toRefusal(error: unknown, limit: number): ServiceError {
  if (error instanceof ServiceError) return error;
  if (error instanceof Error && 'type' in error && error.type === 'entity.too.large') {
    return new ServiceError('payload_too_large', `The request body is larger than ${limit} bytes.`);
  }
  return new ServiceError('malformed_request', 'The request body is incomplete. Send it again.');
}

function checkMediaType({ headers }: IncomingMessage): void {
  const { type, parameters } = parseContentType(headers['content-type'] ?? '');
  const isJson = type === 'application/json' && /^utf-?8$/i.test(parameters['charset'] ?? 'utf-8');
  const isPlain = (headers['content-encoding'] ?? 'identity').toLowerCase() === 'identity';
  if (isJson && isPlain) return;
  throw new ServiceError(
    'unsupported_media_type',
    'Send the body as uncompressed application/json in UTF-8.',
  );
}

async function parseJson(clinicId: string, bytes: Buffer): Promise<unknown> {
  try {
    return await parseInSlices(clinicId, new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    // The parser's message quotes its input, so it is dropped.
    throw malformedJson('The request body is not valid JSON.');
  }
}

function malformedJson(message: string): ServiceError {
  return new ServiceError('malformed_json', message);
}

/** Thrown when the body was incomplete at its deadline. */
export class BodyTooLate extends ServiceError {
  constructor(deadlineMs: number) {
    super('malformed_request', `The request body did not arrive within ${deadlineMs / 1000} seconds.`);
  }
}
