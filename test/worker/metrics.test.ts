import { afterAll, expect, test } from '@jest/globals';
import type { Database } from '../../db/connection/open-database.ts';
import { anyPort } from '../../dev/processes/free-port.ts';
import { createWorkerMetrics, type WorkerMetrics } from '../../worker/metrics/worker-metrics.ts';
import { createTestDatabase, openDatabaseAt } from '../support/database.ts';
import { temporalNowhere } from './temporal-nowhere.ts';

const [testDatabase, temporal] = await Promise.all([createTestDatabase(), temporalNowhere()]);
afterAll(async () => {
  await temporal.close();
  await testDatabase[Symbol.asyncDispose]();
});

function metricsOver(database: Database): WorkerMetrics {
  return createWorkerMetrics({
    database,
    temporal: { client: () => temporal.client },
    readSdkMetrics: async () => '',
  });
}

async function linesOf({ expose }: WorkerMetrics): Promise<string[]> {
  return (await expose()).split('\n');
}

test('with Temporal away the metrics still tell what the rows say, and that the rest is not known', async () => {
  await using database = await openDatabaseAt(testDatabase.url);
  expect(await linesOf(metricsOver(database))).toEqual(
    expect.arrayContaining([
      'database_up 1',
      'outbox_pending{kind="startDelivery"} 0',
      'outbox_oldest_age_seconds{kind="startNoShow"} 0',
      'webhook_deliveries_open{status="retrying"} 0',
      'webhook_deliveries_overdue{status="pending",attempt="1"} 0',
      'webhook_endpoints{status="failing"} 0',
      'no_shows_overdue 0',
      'mails_due 0',
      'temporal_up 0',
      'task_queue_pollers{task_queue="clinic",kind="workflow"} Nan',
      'workflows_failing Nan',
      'schedule_paused{schedule="reconcile"} Nan',
    ]),
  );
});

test('with PostgreSQL away the metrics say so, and claim nothing of its rows', async () => {
  const url = `postgresql://nobody@127.0.0.1:${await anyPort('127.0.0.1')}/nowhere`;
  await using database = await openDatabaseAt(url);
  const lines = await linesOf(metricsOver(database));
  expect(lines).toEqual(
    expect.arrayContaining(['database_up 0', 'no_shows_overdue Nan', 'webhook_retries_put_off Nan']),
  );
  expect(lines.filter((line) => line.startsWith('outbox_pending'))).toEqual([]);
});
