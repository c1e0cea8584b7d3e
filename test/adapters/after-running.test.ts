import { expect, test } from '@jest/globals';
import { afterRunning } from '../../adapters/timing/after-running.ts';

test('an expired deadline ends at once, without a warning from Node', async () => {
  const warnings: string[] = [];
  const listen = ({ name }: Error) => void warnings.push(name);
  process.on('warning', listen);
  const startedAt = performance.now();
  await new Promise<void>((ended) => afterRunning(-75.5, ended));
  process.off('warning', listen);
  expect([warnings, performance.now() - startedAt < 900]).toEqual([[], true]);
});
