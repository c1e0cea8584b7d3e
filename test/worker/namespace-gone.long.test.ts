import { expect, test } from '@jest/globals';
import { createTestDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';
import { layLine } from './cuttable-line.ts';
import { createTestNamespace, type TestNamespace } from './test-namespace.ts';
import { startWorkerProcess } from './worker-process.ts';

/** A poll for a namespace that the server has forgotten is refused at once; while it remembers, the poll waits. */
function refusesPolls({ namespace, temporal: { connection } }: TestNamespace): Promise<boolean> {
  const poll = { namespace, taskQueue: { name: 'nobody' } };
  return connection
    .withDeadline(Date.now() + 1000, () => connection.workflowService.pollActivityTaskQueue(poll))
    .then(
      () => false,
      (error: unknown) => String(error).includes('not found'),
    );
}

test('a worker that may not ask for work any more ends with exit code 1, so that it is started again', async () => {
  const [database, own] = await Promise.all([createTestDatabase(), createTestNamespace()]);
  const line = await layLine(own.address);
  const worker = startWorkerProcess({
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: line.address,
    TEMPORAL_NAMESPACE: own.namespace,
  });
  await worker.ready;
  await own.temporal.connection.operatorService.deleteNamespace({ namespace: own.namespace });
  // Its polls that wait at the server would do so for a minute.
  line.cut();
  await until('the server to refuse polls', () => refusesPolls(own));
  line.mend();
  // The SDK believes in a refusal when it has lasted for a minute.
  expect(await worker.ended).toBe(1);
  expect(worker.output()).toContain('worker.part_ended');
  await own.temporal[Symbol.asyncDispose]();
  await line.close();
  await database[Symbol.asyncDispose]();
});
