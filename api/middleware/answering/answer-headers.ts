import { strictTransport } from '../../../adapters/connections/strict-transport.ts';
import type { ApiContext, Next } from '../request-state.ts';

/** Paths whose responses contain clinic data. */
const PRIVATE_PATH = /^\/(?:v1|mcp)(?:\/|$)/;

/**
 * Headers of every response, also of refusals; a route may override them. @param publicUrl the address for API users
 */
export function setAnswerHeaders(publicUrl: string) {
  // A browser must not interpret text from callers or patients as a page.
  const headers = { 'X-Content-Type-Options': 'nosniff', ...strictTransport(publicUrl) };
  return async (ctx: ApiContext, next: Next): Promise<void> => {
    ctx.set(headers);
    if (PRIVATE_PATH.test(ctx.path)) ctx.set('Cache-Control', 'no-store');
    await next();
  };
}
