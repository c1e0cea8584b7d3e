import { Readable, pipeline } from 'node:stream';
import { promisify } from 'node:util';
import { createGzip, gzip } from 'node:zlib';
import type { DefaultState, Next, ParameterizedContext } from 'koa';
import { sendPieces, type ReadingTimes } from './send-pieces.ts';
import type { UnreadBytes } from './unread-bytes.ts';

/** docs/limits.md#slow-readers */
const READING_TIMES: ReadingTimes = { silentMs: 30_000, totalMs: 60_000 };

const PIECE_BYTES = 64 * 1024;

/** Options of a response for `sendBodies`. */
export interface BodyState extends DefaultState {
  /** The clinic for which the response's unread bytes count; null or absent for none. */
  clinicId?: string | null;
  /** The body is a buffer that all responses share, so it does not count as unread. */
  isShared?: true;
  /** The response has no total time limit while the client makes progress. */
  isLong?: boolean;
}

type BodyContext = ParameterizedContext<BodyState>;
type Hold = (bytes: number) => () => void;

/**
 * Sends `ctx.body` (also a list of buffers), compressed where that helps, and disconnects clients that do not read in
 * time. Counts the bytes that clients have not read yet.
 */
export function sendBodies(unread: UnreadBytes, times = READING_TIMES) {
  return async (ctx: BodyContext, next: Next): Promise<void> => {
    await next();
    ctx.respond = false;
    const { clinicId = null, isLong, isShared } = ctx.state;
    const hold: Hold = (bytes) => unread.hold(clinicId, isShared ? 0 : bytes);
    const allowed = isLong ? { ...times, totalMs: Infinity } : times;
    const { req, res, body } = ctx;
    if (isStreamed(body)) return sendPieces(req, res, streamOf(ctx, body), { ...allowed, hold });
    // Counted from here on, also while earlier responses on the connection are sent first.
    const { pieces, release } = await wholeBody(ctx, hold);
    const sent = ctx.method === 'HEAD' ? [] : pieces.flatMap(slicesOf);
    await sendPieces(req, res, sent, { ...allowed, hold: () => () => undefined }).finally(release);
  };
}

export function isStreamed(body: unknown): body is AsyncIterable<Uint8Array> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

function streamOf(ctx: BodyContext, body: AsyncIterable<Uint8Array>) {
  if (!(body instanceof Readable)) return body;
  if (ctx.method === 'HEAD') return body.destroy() && [];
  return compressStream(ctx, body);
}

interface WholeBody {
  pieces: Buffer[];
  release: () => void;
}

async function wholeBody(ctx: BodyContext, hold: Hold): Promise<WholeBody> {
  const plain = piecesOf(ctx);
  const releasePlain = hold(lengthOf(plain));
  const pieces = await compressPieces(ctx, plain).finally(releasePlain);
  const length = lengthOf(pieces);
  if (plain.length > 0) ctx.length = length;
  return { pieces, release: hold(length) };
}

function piecesOf({ body }: BodyContext): Buffer[] {
  if (body === null || body === undefined) return [];
  if (isInPieces(body)) return body;
  if (Buffer.isBuffer(body)) return [body];
  return [Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))];
}

function isInPieces(body: unknown): body is Buffer[] {
  return Array.isArray(body) && body.length > 0 && body.every((piece) => Buffer.isBuffer(piece));
}

function lengthOf(pieces: readonly Buffer[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

function slicesOf(bytes: Buffer): Buffer[] {
  const count = Math.ceil(bytes.length / PIECE_BYTES);
  return Array.from({ length: count }, (_, at) => bytes.subarray(at * PIECE_BYTES, (at + 1) * PIECE_BYTES));
}

/** Smaller responses fit into one packet without compression. */
const SMALLEST_BYTES = 1400;

const COMPRESSIBLE = /^(?:text\/|application\/json)/;

const compress = promisify(gzip);

/** The body to send, with gzip for clients that accept it. */
async function compressPieces(ctx: ParameterizedContext, pieces: Buffer[]): Promise<Buffer[]> {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  if (!takesGzip(ctx) || length < SMALLEST_BYTES) return pieces;
  const compressed = await compress(Buffer.concat(pieces));
  ctx.set('Content-Encoding', 'gzip');
  return [compressed];
}

/** Like `compressPieces`, for a streamed body. */
function compressStream(ctx: ParameterizedContext, body: Readable): Readable {
  if (!takesGzip(ctx)) return body;
  ctx.set('Content-Encoding', 'gzip');
  // An error of the body ends the compressed stream too.
  return pipeline(body, createGzip(), () => undefined);
}

function takesGzip(ctx: ParameterizedContext): boolean {
  const isPlain = !ctx.res.hasHeader('Content-Encoding');
  if (!isPlain || ctx.method === 'HEAD' || !COMPRESSIBLE.test(ctx.response.type)) return false;
  ctx.vary('Accept-Encoding');
  return ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
}
