import type { ApiContext, Next } from './request-state.ts';

/** Is told of a request when its connection is done with it. @param durationMs since its arrival */
export type AnswerListener = (ctx: ApiContext, durationMs: number) => void;

/** Tells of every request, also of one whose caller has gone away. */
export function tellOfAnswers(...listeners: readonly AnswerListener[]) {
  return async (ctx: ApiContext, next: Next): Promise<void> => {
    const startedAt = performance.now();
    ctx.res.once('close', () => {
      const durationMs = performance.now() - startedAt;
      for (const listener of listeners) listener(ctx, durationMs);
    });
    await next();
  };
}
