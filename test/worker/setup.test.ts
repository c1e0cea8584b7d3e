import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { once } from 'node:events';
import { afterAll, afterEach, expect, test } from '@jest/globals';
import { msToTs } from '@temporalio/common/lib/time.js';
import { callersEnvironment } from '../support/environment/callers-environment.ts';
import { startRefusingTemporal, type RefusingTemporal } from './refusing-temporal.ts';
import { createTestNamespace } from './test-namespace.ts';

let refusing: RefusingTemporal;

const prepared = await createTestNamespace();
afterEach(() => refusing.close());
afterAll(async () => {
  await prepared.temporal[Symbol.asyncDispose]();
});

/** `npm run temporal:setup` with an account that may not change namespaces. */
async function setup(namespace: string, { refusesListing = false } = {}) {
  refusing = await startRefusingTemporal(prepared.address, { refusesListing });
  const child = spawn(process.execPath, ['worker/setup-main.ts'], {
    env: { ...callersEnvironment(), TEMPORAL_ADDRESS: refusing.address, TEMPORAL_NAMESPACE: namespace },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [told] = await Promise.all([text(child.stderr), text(child.stdout), once(child, 'exit')]);
  return { exitCode: child.exitCode, told };
}

/** A namespace as someone else has made it, for a day and without search attributes. */
async function aBareNamespace(): Promise<string> {
  const namespace = `bare-${prepared.namespace}`;
  await prepared.temporal.connection.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: msToTs('1 day'),
  });
  return namespace;
}

test.each([false, true])(
  'an account that may not change namespaces finds one that lacks nothing well (search attributes may not be listed: %s)',
  async (refusesListing) => {
    expect(await setup(prepared.namespace, { refusesListing })).toEqual({ exitCode: 0, told: '' });
  },
);

test('what such an account may not make is told, with the commands that make it', async () => {
  const namespace = await aBareNamespace();
  for (const refusesListing of [false, true]) {
    const { exitCode, told } = await setup(namespace, { refusesListing });
    expect(exitCode).toBe(1);
    expect(told).toContain(`tcld namespace retention set --namespace ${namespace} --retention-days 30`);
    expect(told).toContain(`tcld namespace search-attributes add --namespace ${namespace}`);
    expect(told).toContain('--search-attribute "NextAttemptAt=Datetime"');
    expect(told).toContain(`temporal operator search-attribute create --namespace ${namespace}`);
    if (!refusesListing) await refusing.close();
  }
});

test('a namespace that is not there and may not be made is to be made by hand', async () => {
  const { exitCode, told } = await setup('nobodys-namespace');
  expect(exitCode).toBe(1);
  expect(told).toContain('nobodys-namespace');
  expect(told).toContain('--retention-days 30');
});
