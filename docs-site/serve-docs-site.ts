import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { DefaultState, Next, ParameterizedContext } from 'koa';
import { ServiceError } from '../domain/service-error.ts';
import { createDocsSite, type DocsSiteOptions } from './site.ts';
import type { SiteFile } from '../pages/site-file.ts';

/** Scripts and styles of our own address only, none written into a page; nothing may frame it. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'Referrer-Policy': 'no-referrer',
  Vary: 'Accept-Encoding',
  'X-Content-Type-Options': 'nosniff',
};

const ADDRESSES = /^\/(?:docs(?:\/|$)|llms\.txt$|collection\.json$|$)/;

interface RouteState extends DefaultState {
  route: string;
}

/** Serves the documentation at `/docs`; it needs no key and counts against no limit. */
export function serveDocsSite(options: DocsSiteOptions) {
  const site = createDocsSite(options);
  const compressed = new WeakMap<SiteFile, Buffer>();
  return async (ctx: ParameterizedContext<RouteState>, next: Next): Promise<void> => {
    if (!ADDRESSES.test(ctx.path)) return void (await next());
    const isReading = ctx.method === 'GET' || ctx.method === 'HEAD';
    const location = slashMended(ctx.path);
    const found = location === null ? site.find(ctx.path) : null;
    const file = found ?? (isReading && location === null ? site.missing(ctx.path) : null);
    if (location === null && !file) return void (await next());
    ctx.state.route = '/docs';
    if (!isReading) throw onlyRead();
    if (!file) return redirect(ctx, location ?? '');
    ctx.status = found ? 200 : 404;
    const gzipped = compressed.get(file) ?? (await promisify(gzip)(file.plain));
    compressed.set(file, gzipped);
    send(ctx, file, gzipped);
  };
}

/** Where a slash too many or too few leads, null where all is well. */
function slashMended(path: string): string | null {
  if (path === '/') return 'docs';
  if (path === '/docs/') return '../docs';
  const [, name] = /^\/docs\/([\w-]+)\/$/.exec(path) ?? [];
  return name === undefined ? null : `../${name}`;
}

/** The address stays relative, for a proxy that adds a prefix. */
function redirect(ctx: ParameterizedContext<RouteState>, location: string): void {
  ctx.status = 302;
  ctx.set('Location', location);
}

function send(ctx: ParameterizedContext<RouteState>, file: SiteFile, gzipped: Buffer): void {
  const encoding = ctx.acceptsEncodings('gzip', 'identity');
  ctx.set(HEADERS);
  ctx.set('Cache-Control', file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache');
  ctx.etag = file.etag;
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  if (encoding === 'gzip') ctx.set('Content-Encoding', 'gzip');
  ctx.type = file.contentType;
  ctx.body = encoding === 'gzip' ? gzipped : file.plain;
}

function onlyRead(): ServiceError {
  return new ServiceError('method_not_allowed', 'This address takes GET, HEAD.', {
    headers: { Allow: 'GET, HEAD' },
  });
}
