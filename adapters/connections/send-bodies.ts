import { Readable, pipeline } from 'node:stream';
import { promisify } from 'node:util';
import { createGzip, gzip } from 'node:zlib';
import type { DefaultState, Next, ParameterizedContext } from 'koa';
import { sendPieces, type ReadingTimes } from './send-pieces.ts';
import type { UnreadBytes } from './unread-bytes.ts';

/** docs/limits.md#slow-readers */
const READING_TIMES: ReadingTimes = { silentMs: 30_000, totalMs: 60_000 };

const PIECE_BYTES = 64 * 1024;

/** What an answer says of itself to `sendBodies`. */
export interface BodyState extends DefaultState {
  /** Whose unread bytes it counts as; null or absent: no clinic's in particular. */
  clinicId?: string | null;
  /** One buffer that all answers share: it does not count as unread. */
  isShared?: true;
  /** It may take any time as long as it gets on. */
  isLong?: boolean;
}

type BodyContext = ParameterizedContext<BodyState>;
type Hold = (bytes: number) => () => void;

/**
 * Sends what the middleware inside it has put into `ctx.body`, which may be a list of buffers, compressed where that helps, and hangs up on clients that do not
 * read in time. What they have not read yet counts as unread.
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
    // Held from here on, also while answers to earlier requests on the connection come first.
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

/** Smaller answers fit into one packet as they are. */
const SMALLEST_BYTES = 1400;

const COMPRESSIBLE = /^(?:text\/|application\/json)/;

const compress = promisify(gzip);

/** The body as it travels, compressed for clients that take gzip, with the header that says so. */
async function compressPieces(ctx: ParameterizedContext, pieces: Buffer[]): Promise<Buffer[]> {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  if (!takesGzip(ctx) || length < SMALLEST_BYTES) return pieces;
  const compressed = await compress(Buffer.concat(pieces));
  ctx.set('Content-Encoding', 'gzip');
  return [compressed];
}

/** As `compressPieces`, for a body that is made while it travels. */
function compressStream(ctx: ParameterizedContext, body: Readable): Readable {
  if (!takesGzip(ctx)) return body;
  ctx.set('Content-Encoding', 'gzip');
  // A failure of the body ends the compressed one with the same error.
  return pipeline(body, createGzip(), () => undefined);
}

function takesGzip(ctx: ParameterizedContext): boolean {
  const isPlain = !ctx.res.hasHeader('Content-Encoding');
  if (!isPlain || ctx.method === 'HEAD' || !COMPRESSIBLE.test(ctx.response.type)) return false;
  ctx.vary('Accept-Encoding');
  return ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
}
