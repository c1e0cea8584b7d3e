import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { ParameterizedContext } from 'koa';

/** A file for many clients: built and compressed once, and shared by all responses. */
export interface SiteFile {
  contentType: string;
  cacheControl: string;
  plain: Buffer;
  gzip: Buffer;
  br: Buffer;
  /** The weak ETag, which is the same for the compressed file. */
  etag: string;
}

/** The caching header of a file whose address contains its hash. */
export const IMMUTABLE = 'public, max-age=31536000, immutable';

/** The caching header of other files: clients must always ask whether the file has changed. */
const REVALIDATE = 'no-cache';

/** The quality of compression. Higher qualities take ten times as long and save one percent. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

export function siteFile(file: { text: string; contentType: string; cacheControl?: string }): SiteFile {
  const plain = Buffer.from(file.text);
  return {
    contentType: file.contentType,
    cacheControl: file.cacheControl ?? REVALIDATE,
    plain,
    gzip: gzipSync(plain),
    br: brotliCompressSync(plain, BROTLI),
    etag: `W/"${createHash('sha256').update(plain).digest('base64url')}"`,
  };
}

/** Sets the headers of a file and returns the bytes to send; null when the client's copy is current. */
export function offerFile(ctx: ParameterizedContext, file: SiteFile): Buffer | null {
  ctx.vary('Accept-Encoding');
  ctx.set('Cache-Control', file.cacheControl);
  ctx.etag = file.etag;
  if (ctx.status === 200 && ctx.fresh) {
    ctx.status = 304;
    return null;
  }
  ctx.type = file.contentType;
  const encoding = ctx.acceptsEncodings('br', 'gzip', 'identity');
  if (encoding !== 'br' && encoding !== 'gzip') return file.plain;
  ctx.set('Content-Encoding', encoding);
  return file[encoding];
}
