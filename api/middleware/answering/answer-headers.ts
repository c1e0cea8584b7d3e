import { strictTransport } from '../../../adapters/connections/strict-transport.ts';
import type { ApiContext, Next } from '../request-state.ts';

/** Answers about a clinic. */
const PRIVATE_PATH = /^\/(?:v1|mcp)(?:\/|$)/;

/** What every answer says, refusals too; a route may say otherwise. @param publicUrl how users reach the API */
export function setAnswerHeaders(publicUrl: string) {
  // A browser must not guess a page out of what a caller or patient wrote.
  const headers = { 'X-Content-Type-Options': 'nosniff', ...strictTransport(publicUrl) };
  return async (ctx: ApiContext, next: Next): Promise<void> => {
    ctx.set(headers);
    if (PRIVATE_PATH.test(ctx.path)) ctx.set('Cache-Control', 'no-store');
    await next();
  };
}
