import type { Next } from 'koa';
import type { Cookies } from '../sign-in/cookies.ts';
import type { Answering } from './answering.ts';
import { localAddress } from '../sign-in/local-address.ts';
import type { DashboardContext } from './state.ts';

/**
 * Redirects a request to another host name, such as `localhost` instead of `127.0.0.1`, to the dashboard's own address:
 * sessions and forms are valid only there.
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
    // Orchestrators request each process at its own address.
    if (!isPage || ctx.path === '/health/ready' || namesHost(ctx, own)) return void (await next());
    // If a proxy sends another host name, redirecting again would never end.
    if (cookies.readLed(ctx)) return void (await next());
    cookies.setLed(ctx);
    answering.redirect(ctx, `${dashboardUrl}${localAddress(ctx.originalUrl)}`);
  };
}

/** Whether the request names the dashboard's host. The port is ignored, because some proxies leave it out. */
function namesHost(ctx: DashboardContext, { protocol, hostname }: URL): boolean {
  const asked = URL.parse(`${protocol}//${ctx.get('Host')}`);
  return asked === null || asked.hostname === hostname;
}
