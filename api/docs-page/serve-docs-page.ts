import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { ServiceError } from '../../domain/service-error.ts';
import type { ApiContext, Next } from '../middleware/request-state.ts';
import { PAGE_FILES, type PageFile } from './page-files.ts';

/** Scripts and styles of our own address only, none written into the page; nothing may frame it. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  'Cache-Control': 'no-cache',
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'Referrer-Policy': 'no-referrer',
  Vary: 'Accept-Encoding',
  'X-Content-Type-Options': 'nosniff',
};

interface LoadedFile {
  plain: Buffer;
  gzipped: Buffer;
  etag: string;
}

/** Serves the browsable API reference at `/docs`; it needs no key and counts against no limit. */
export function serveDocsPage() {
  const files = new Map(PAGE_FILES.map((file) => [file.path, file]));
  const loaded = new Map<string, LoadedFile>();
  return async (ctx: ApiContext, next: Next): Promise<void> => {
    const file = files.get(ctx.path);
    if (!file) return void (await next());
    ctx.state.route = file.path;
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') throw onlyRead();
    const content = loaded.get(file.path) ?? (await load(file));
    loaded.set(file.path, content);
    send(ctx, file, content);
  };
}

async function load({ source }: PageFile): Promise<LoadedFile> {
  const plain = await readFile(source);
  const etag = createHash('sha256').update(plain).digest('base64url');
  return { plain, gzipped: await promisify(gzip)(plain), etag };
}

function send(ctx: ApiContext, { contentType }: PageFile, { plain, gzipped, etag }: LoadedFile): void {
  const encoding = ctx.acceptsEncodings('gzip', 'identity');
  ctx.set(HEADERS);
  // Weak: the same file, compressed or not.
  ctx.etag = `W/"${etag}"`;
  ctx.status = 200;
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  if (encoding === 'gzip') ctx.set('Content-Encoding', 'gzip');
  ctx.type = contentType;
  ctx.body = encoding === 'gzip' ? gzipped : plain;
}

function onlyRead(): ServiceError {
  return new ServiceError('method_not_allowed', 'This address takes GET, HEAD.', {
    headers: { Allow: 'GET, HEAD' },
  });
}
