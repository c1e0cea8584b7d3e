import { randomBytes } from 'node:crypto';
import { Client } from '@temporalio/client';
import { connectTemporal, type Temporal } from '../../adapters/temporal/connect-temporal.ts';
import { prepareNamespace } from '../../adapters/temporal/prepare-namespace.ts';
import { realTemporal } from '../support/temporal.ts';
import { until } from '../support/until.ts';

const ANSWER_LIMIT_MS = 120_000;

export interface TestNamespace {
  address: string;
  namespace: string;
  temporal: Temporal;
}

/** A namespace of the suite's own: every worker serves the same queues, and must not take another suite's tasks. */
export async function createTestNamespace(): Promise<TestNamespace> {
  const { address } = realTemporal();
  const namespace = `test-${randomBytes(6).toString('hex')}`;
  const temporal = patiently(connectTemporal({ namespace, connection: { address } }));
  // A new namespace takes a moment until every part of the server knows it.
  await until('the namespace to be ready', () =>
    succeeds(() => temporal.ask(() => prepareNamespace(temporal.connection, namespace))),
  );
  await until('the namespace to answer', () =>
    succeeds(() => temporal.ask((client) => client.workflow.count(`ClinicId = 'nobody'`))),
  );
  return { address, namespace, temporal };
}

/** A test also asks for the result of a workflow, and a slow machine takes its time for that. */
function patiently(temporal: Temporal): Temporal {
  const { connection, namespace } = temporal;
  const client = new Client({ connection, namespace });
  return {
    ...temporal,
    ask: (work) => client.withDeadline(Date.now() + ANSWER_LIMIT_MS, () => work(client)),
  };
}

function succeeds(work: () => Promise<unknown>): Promise<boolean> {
  return work().then(
    () => true,
    () => false,
  );
}
