import { expect, test } from '@jest/globals';
import { Client } from '@temporalio/client';
import { connectTemporal } from '../../adapters/temporal/connect-temporal.ts';
import { openDatabase } from '../../db/connection/open-database.ts';
import { anyPort } from '../../dev/processes/free-port.ts';
import { STANDARD_TIMINGS } from '../../domain/timings.ts';
import { createWorkerMetrics } from '../../worker/metrics.ts';
import { createTestDatabase } from '../support/database.ts';

test('with Temporal away the metrics still tell what the rows say, and that the rest is not known', async () => {
  const testDatabase = await createTestDatabase();
  const database = await openDatabase({ url: testDatabase.url, applicationName: 'test' });
  const address = `127.0.0.1:${await anyPort('127.0.0.1')}`;
  const { connection, namespace, ...temporal } = connectTemporal({
    namespace: 'default',
    connection: { address },
  });
  const client = new Client({ connection, namespace });
  const lines = (await createWorkerMetrics({ database, client, timings: STANDARD_TIMINGS }).expose()).split(
    '\n',
  );
  expect(lines).toEqual(
    expect.arrayContaining([
      'outbox_pending 0',
      'webhook_deliveries_overdue{status="pending",attempt="1"} 0',
      'no_shows_overdue 0',
      'task_queue_pollers{task_queue="clinic",kind="workflow"} Nan',
      'workflows_failing Nan',
    ]),
  );
  await temporal[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
  await testDatabase.drop();
});
