import { expect, test } from '@jest/globals';
import { rememberRefusals } from '../../../api/middleware/admission/refusal-memory.ts';

test('who goes on sending is refused a hundred times a second, although places come free all the time', async () => {
  const freeAgainMs = 20;
  const ask = rememberRefusals(() =>
    Promise.resolve({
      stored: null,
      isKeyValid: false,
      counted: { isAccepted: false, retryAfterMs: freeAgainMs, countedAt: new Date(), windows: [] },
    }),
  );
  const request = { key: null, address: '203.0.113.9' };
  await ask(request);
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: 50 }, () => ask(request)));
  // Each pause may end a part of a millisecond early.
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(49 * 10 - 25);
});
