import type { Next } from 'koa';
import { strictTransport } from '../../adapters/connections/strict-transport.ts';
import type { DashboardContext } from './state.ts';

/** Scripts and styles of our own address only, none written into a page; nothing may frame it, and no form leads away. */
function contentSecurityPolicy(apiOrigin: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    // Recordings are behind signed links of the API.
    `media-src 'self' ${apiOrigin}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Pages hold patients' data: no cache keeps them, and no other site learns their addresses. */
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
