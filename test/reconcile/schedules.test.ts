import { afterAll, expect, test } from '@jest/globals';
import { findSchedules, keepSchedules } from '../../adapters/temporal/schedules.ts';
import { until } from '../support/until.ts';
import { createTestNamespace } from '../worker/test-namespace.ts';

const own = await createTestNamespace();
const { temporal } = own;
afterAll(async () => {
  await own.temporal[Symbol.asyncDispose]();
});

const MINUTE_MS = 60_000;

test('two processes that start at once make all schedules, each once', async () => {
  expect(await temporal.ask(findSchedules)).toEqual([
    { scheduleId: 'recall-scan', found: null },
    { scheduleId: 'reconcile', found: null },
    { scheduleId: 'retention', found: null },
  ]);
  await Promise.all([temporal.ask(keepSchedules), temporal.ask(keepSchedules), temporal.ask(keepSchedules)]);
  const found = await temporal.ask(findSchedules);
  expect(found).toMatchObject([
    { scheduleId: 'recall-scan', found: { paused: false } },
    { scheduleId: 'reconcile', found: { paused: false } },
    { scheduleId: 'retention', found: { paused: false } },
  ]);
  for (const { scheduleId, found: state } of found) {
    // On the quarters of the hour, and on the hour.
    const grid = scheduleId === 'recall-scan' ? 15 : 60;
    expect((state?.nextAt?.getTime() ?? 1) % (grid * MINUTE_MS)).toBe(0);
  }
});

test('runs do not overlap, and one makes up for an outage', async () => {
  await temporal.ask(keepSchedules);
  const describe = (id: string) => temporal.ask(({ schedule }) => schedule.getHandle(id).describe());
  expect(await describe('recall-scan')).toMatchObject({
    action: { workflowType: 'recallScan', taskQueue: 'clinic', workflowId: 'recall-scan' },
    policies: { overlap: 'SKIP', catchupWindow: 15 * MINUTE_MS },
    spec: { intervals: [{ every: 15 * MINUTE_MS }] },
  });
  expect(await describe('reconcile')).toMatchObject({
    action: { workflowType: 'reconcile', taskQueue: 'clinic', workflowId: 'reconcile' },
    policies: { overlap: 'SKIP', catchupWindow: 60 * MINUTE_MS },
    spec: { intervals: [{ every: 60 * MINUTE_MS }] },
  });
  expect(await describe('retention')).toMatchObject({
    action: { workflowType: 'retention', taskQueue: 'clinic', workflowId: 'retention' },
    policies: { overlap: 'SKIP', catchupWindow: 60 * MINUTE_MS },
    spec: { intervals: [{ every: 60 * MINUTE_MS }] },
  });
});

test('what an older version or an operator left is brought up to date; a pause stays', async () => {
  await temporal.ask(keepSchedules);
  await temporal.ask(({ schedule }) => schedule.getHandle('reconcile').pause('the database is being moved'));
  // The engine tells of a pause a moment after it has taken it, and forgets one that comes together with an update.
  await until('the pause', async () => {
    const { state } = await temporal.ask(({ schedule }) => schedule.getHandle('reconcile').describe());
    return state.paused;
  });
  await temporal.ask(({ schedule }) =>
    schedule
      .getHandle('reconcile')
      .update((previous) => ({ ...previous, spec: { intervals: [{ every: '1 day' }] } })),
  );
  await temporal.ask(keepSchedules);
  const kept = await temporal.ask(({ schedule }) => schedule.getHandle('reconcile').describe());
  expect(kept.spec.intervals).toMatchObject([{ every: 60 * MINUTE_MS }]);
  expect(kept.state).toMatchObject({ paused: true, note: 'the database is being moved' });
});
