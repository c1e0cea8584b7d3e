import { once } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { letSenderFinish } from '../../api/middleware/answering/let-sender-finish.ts';
import type { ApiContext } from '../../api/middleware/request-state.ts';

test('a sender who left in the middle of a body is not waited for', async () => {
  const req = new IncomingMessage(new Socket());
  const left = once(req, 'close');
  req.destroy();
  await left;
  const ctx = { req, res: new ServerResponse(req), set: () => undefined };
  const startedAt = performance.now();
  await letSenderFinish(ctx as unknown as ApiContext, async () => undefined);
  expect(performance.now() - startedAt).toBeLessThan(1000);
});
