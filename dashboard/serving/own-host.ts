import type { Next } from 'koa';
import type { Cookies } from '../sign-in/cookies.ts';
import type { Answering } from './answering.ts';
import { localAddress } from '../sign-in/local-address.ts';
import type { DashboardContext } from './state.ts';

/**
 * Leads a page asked for under another host name, such as `localhost` beside `127.0.0.1`, to where people reach the dashboard:
 * elsewhere neither its session nor its forms would count.
 */
export function leadToOwnHost({
  dashboardUrl,
  cookies,
  answering,
}: {
  dashboardUrl: string;
  cookies: Cookies;
  answering: Answering;
}) {
  const own = new URL(dashboardUrl);
  return async (ctx: DashboardContext, next: Next): Promise<void> => {
    const isPage = ctx.method === 'GET' || ctx.method === 'HEAD';
    // Orchestrators ask each process by its own address.
    if (!isPage || ctx.path === '/health/ready' || namesHost(ctx, own)) return void (await next());
    // A proxy that names another host would lead the browser here again, without end.
    if (cookies.readLed(ctx)) return void (await next());
    cookies.setLed(ctx);
    answering.redirect(ctx, `${dashboardUrl}${localAddress(ctx.originalUrl)}`);
  };
}

/** Without the port, which some proxies leave out. */
function namesHost(ctx: DashboardContext, { protocol, hostname }: URL): boolean {
  const asked = URL.parse(`${protocol}//${ctx.get('Host')}`);
  return asked === null || asked.hostname === hostname;
}
