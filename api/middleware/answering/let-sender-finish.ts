import type { IncomingMessage } from 'node:http';
import type { ApiContext, Next } from '../request-state.ts';

/** docs/limits.md#body-sizes */
const MOST_UNSEEN_BYTES = 1_000_000;
const LONGEST_UNSEEN_MS = 2000;

/**
 * One who is still sending a body that nobody reads would see a broken pipe in place of the answer, because Node hangs up
 * after it. So the answer goes out whole, a little more is let through unseen, and then the connection ends.
 */
export async function letSenderFinish(ctx: ApiContext, next: Next): Promise<void> {
  await next();
  const { req, res } = ctx;
  // Whoever has left sends no more, and is not waited for.
  if (req.complete || req.destroyed || ctx.respond === false) return;
  ctx.respond = false;
  ctx.set('Connection', 'close');
  if (typeof ctx.body === 'string') res.write(ctx.body);
  else res.flushHeaders();
  await untilSent(req);
  res.end();
}

function untilSent(request: IncomingMessage): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const patience = setTimeout(resolve, LONGEST_UNSEEN_MS);
  request.once('close', resolve);
  let unseenBytes = 0;
  request.on('data', ({ length }: Buffer) => {
    unseenBytes += length;
    // The sender may read the answer until the time is over.
    if (unseenBytes > MOST_UNSEEN_BYTES) request.pause();
  });
  request.resume();
  return promise.finally(() => clearTimeout(patience));
}
