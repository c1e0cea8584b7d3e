import type { IncomingMessage } from 'node:http';
import type { DefaultState, Next, ParameterizedContext } from 'koa';
import { ServiceError } from '../domain/service-error.ts';
import { offerFile, type SiteFile } from '../pages/site-file.ts';
import type { DocsSite } from './site.ts';

/** Only our own scripts and styles, nothing inline; no framing. */
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
};

const ADDRESSES = /^\/(?:docs(?:\/|$)|(?:openapi|collection)\.json$|llms\.txt$|$)/;

interface RouteState extends DefaultState {
  route: string;
  /** Whether the body's buffer is shared, so that it does not count as unread. */
  isShared?: true;
}

type DocsContext = ParameterizedContext<RouteState>;

/** Whether an address belongs to the documents: documentation and API descriptions. */
export function isDocument(path: string): boolean {
  return ADDRESSES.test(path);
}

/**
 * Serves the documents, which need no key and are always the same bytes.
 * @param begin takes a place for a download and returns a function that releases it; throws when the client has too
 * many downloads
 */
export function serveDocsSite(site: DocsSite, begin: (request: IncomingMessage) => () => void) {
  return async (ctx: DocsContext, next: Next): Promise<void> => {
    if (!isDocument(ctx.path)) return void (await next());
    const isReading = ctx.method === 'GET' || ctx.method === 'HEAD';
    const location = slashMended(ctx.path);
    const found = location === null ? site.find(ctx.path) : null;
    const file = found ?? (isReading && location === null ? site.missing(ctx.path) : null);
    if (location === null && !file) return void (await next());
    ctx.state.route = ctx.path === '/openapi.json' ? ctx.path : '/docs';
    if (!isReading) throw onlyRead();
    if (!file) return redirect(ctx, location ?? '');
    ctx.res.once('close', begin(ctx.req));
    send(ctx, file, found ? 200 : 404);
  };
}

/** The address with a corrected slash; null when it is right. */
function slashMended(path: string): string | null {
  if (path === '/') return 'docs';
  if (path === '/docs/') return '../docs';
  const [, name] = /^\/docs\/([\w-]+)\/$/.exec(path) ?? [];
  return name === undefined ? null : `../${name}`;
}

/** Redirects to a relative address, so that it works behind a proxy with a prefix. */
function redirect(ctx: DocsContext, location: string): void {
  ctx.status = 302;
  ctx.set('Location', location);
}

function send(ctx: DocsContext, file: SiteFile, status: number): void {
  ctx.status = status;
  ctx.state.isShared = true;
  ctx.set(HEADERS);
  ctx.body = offerFile(ctx, file);
}

function onlyRead(): ServiceError {
  return new ServiceError('method_not_allowed', 'This address accepts only GET and HEAD.', {
    headers: { Allow: 'GET, HEAD' },
  });
}
