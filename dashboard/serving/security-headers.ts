import type { Next } from 'koa';
import { strictTransport } from '../../adapters/connections/strict-transport.ts';
import type { DashboardContext } from './state.ts';

/** Only our own scripts and styles, nothing inline; no framing, and no forms to other sites. */
function contentSecurityPolicy(apiOrigin: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    // Recordings use signed links of the API.
    `media-src 'self' ${apiOrigin}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Pages contain patient data: no caching, and no referrer to other sites. */
export function securityHeaders({ dashboardUrl, apiUrl }: { dashboardUrl: string; apiUrl: string }) {
  const headers = {
    'Content-Security-Policy': contentSecurityPolicy(new URL(apiUrl).origin),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
    'Referrer-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Cache-Control': 'no-store',
    Vary: 'Accept-Language, Cookie',
    ...strictTransport(dashboardUrl),
  };
  return async (ctx: DashboardContext, next: Next): Promise<void> => {
    ctx.set(headers);
    await next();
  };
}
