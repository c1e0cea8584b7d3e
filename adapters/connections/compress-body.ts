import { pipeline, type Readable } from 'node:stream';
import { promisify } from 'node:util';
import { createGzip, gzip } from 'node:zlib';
import type { ParameterizedContext } from 'koa';

/** Smaller answers fit into one packet as they are. */
const SMALLEST_BYTES = 1400;

const COMPRESSIBLE = /^(?:text\/|application\/json)/;

const compress = promisify(gzip);

/** The body as it travels, compressed for clients that take gzip, with the header that says so. */
export async function compressPieces(ctx: ParameterizedContext, pieces: Buffer[]): Promise<Buffer[]> {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  if (!takesGzip(ctx) || length < SMALLEST_BYTES) return pieces;
  const compressed = await compress(Buffer.concat(pieces));
  ctx.set('Content-Encoding', 'gzip');
  return [compressed];
}

/** As `compressPieces`, for a body that is made while it travels. */
export function compressStream(ctx: ParameterizedContext, body: Readable): Readable {
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
