import { expect, test } from '@jest/globals';
import { DeterminismViolationError } from '@temporalio/workflow';
import { installTemporalRuntime } from '../../worker/temporal-runtime.ts';
import { testLogger } from '../support/test-logger.ts';
import { BRANCHES } from './branches/all-branches.ts';
import { recordedHistories, type RecordedHistory } from './recorded-histories.ts';
import { replay } from './replay-histories.ts';
import { unreachedLines } from './unreached-lines.ts';
import { workflowCodePath } from './workflow-code.ts';

installTemporalRuntime(testLogger());
const workflowBundle = { codePath: await workflowCodePath() };

const recorded = recordedHistories();
/** What today’s code has left: `earlier/` stays as it was. */
const ofToday = [...recorded].filter(([name]) => !name.startsWith('earlier/'));

test('today’s code goes the way of every recorded history, and they go through all of it', async () => {
  const unreached = await unreachedLines(workflowBundle.codePath, async () => {
    expect(await replay(workflowBundle, recorded)).toEqual(new Map());
  });
  expect(unreached).toEqual([]);
});

test('every branch has its history, and every history but the earlier ones its branch', () => {
  const names = ofToday.map(([name]) => name);
  expect(names.sort()).toEqual(Object.keys(BRANCHES).sort());
});

test('a history that today’s code does not go is told apart', async () => {
  const text = JSON.stringify(recorded.get('no-show-marked'));
  const other: RecordedHistory = JSON.parse(text.replaceAll('"markNoShow"', '"forgiveNoShow"'));
  const refused = await replay(workflowBundle, [['other', other]]);
  expect(refused.get('other')).toBeInstanceOf(DeterminismViolationError);
});

test('every activity and every timer of a workflow says what it is for', () => {
  const events = ofToday.flatMap(([name, { events }]) => events.map((event) => ({ name, ...event })));
  const told = events.filter(
    (event) => 'activityTaskScheduledEventAttributes' in event || 'timerStartedEventAttributes' in event,
  );
  expect(told.length).toBeGreaterThan(100);
  expect(told.filter((event) => !('userMetadata' in event))).toEqual([]);
});

/** https://docs.temporal.io/evaluate/cloud/actions: what a run does there is counted by these events. */
const BILLED = [
  'workflowExecutionStarted',
  'workflowExecutionSignaled',
  'timerStarted',
  'activityTaskScheduled',
  'upsertWorkflowSearchAttributes',
  'markerRecorded',
].map((event) => `${event}EventAttributes`);

test.each([
  ['no-show-checked-in', 3],
  ['no-show-marked', 3],
  ['delivery-recorded-as-succeeded', 1],
  // One timer fewer than a real one: its second attempt is due at once.
  ['delivery-failed-six-times', 15],
  ['burst', 1],
])('Temporal Cloud bills %s as %i actions, as the documentation says', (name, actions) => {
  const events = recorded.get(name)?.events ?? [];
  expect(events.filter((event) => BILLED.some((attributes) => attributes in event)).length).toBe(actions);
});

test('no recorded history holds more than opaque ids and times', () => {
  const text = JSON.stringify([...recorded.values()]);
  const payloads = [...text.matchAll(/"data":"([^"]+)"/g)].map(([, data = '']) =>
    Buffer.from(data, 'base64').toString(),
  );
  expect(payloads.length).toBeGreaterThan(20);
  expect(JSON.stringify(ofToday).match(/"\d+@[^"]*|node_modules/)?.[0]).toBeUndefined();
  for (const payload of payloads) expect(payload).not.toMatch(/Maria|Luz|https?:|\+351/);
});
