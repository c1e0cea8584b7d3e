import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { Worker, type WorkflowBundleOption } from '@temporalio/worker';
import { installTemporalRuntime } from '../../worker/temporal-runtime.ts';
import { testLogger } from '../support/test-logger.ts';
import { keptWorkflowBundle } from '../../worker/bundle/kept-bundle.ts';

const HISTORIES = join(import.meta.dirname, '..', 'histories');

let workflowBundle: WorkflowBundleOption;
beforeAll(async () => {
  installTemporalRuntime(testLogger());
  workflowBundle = await keptWorkflowBundle({ signal: new AbortController().signal, logger: testLogger() });
});

interface RecordedHistory {
  workflowId: string;
  events: unknown[];
}

function read(name: string): RecordedHistory {
  return JSON.parse(readFileSync(join(HISTORIES, name), 'utf8'));
}

function replay({ workflowId, events }: RecordedHistory): Promise<void> {
  return Worker.runReplayHistory({ workflowBundle, replayName: workflowId }, { events }, workflowId);
}

const names = readdirSync(HISTORIES).filter((name) => name.endsWith('.json'));

test.each(names)('today’s code goes the way of %s', async (name) => {
  await replay(read(name));
});

test('a history that today’s code does not go is told apart', async () => {
  const text = JSON.stringify(read('no-show-marked.json'));
  const other: RecordedHistory = JSON.parse(text.replaceAll('"markNoShow"', '"forgiveNoShow"'));
  await expect(replay(other)).rejects.toThrow(/[Nn]ondeterminism/);
});

test('no recorded history holds more than opaque ids and times', () => {
  const text = names.map((name) => readFileSync(join(HISTORIES, name), 'utf8')).join('');
  const payloads = [...text.matchAll(/"data":"([^"]+)"/g)].map(([, data = '']) =>
    Buffer.from(data, 'base64').toString(),
  );
  expect(payloads.length).toBeGreaterThan(20);
  for (const payload of payloads) expect(payload).not.toMatch(/Maria|Luz|https?:|\+351/);
});
