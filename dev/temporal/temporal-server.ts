import { spawn, type StdioOptions } from 'node:child_process';
import { devNull } from 'node:os';
import { Connection } from '@temporalio/client';

const DYNAMIC_CONFIG = [
  // The server would otherwise ask a host on the internet whether it is out of date.
  'frontend.enableServerVersionCheck=false',
  // As in production. Read anew with every request, as this server has it, they take a sixth of its processor time.
  'system.forceSearchAttributesCacheRefreshOnRead=false',
  'system.forceNexusEndpointRefreshOnRead=false',
  // Clinics take turns in the queues: `deliveryStart` in worker/temporal/workflow-starts.ts.
  'matching.enableFairness=true',
];

/** @param flags besides those that every server has: where it listens and keeps its state, its UI, its search attributes */
export function startTemporalServer(
  program: string,
  { port, namespace, flags }: { port: number; namespace: string; flags: readonly string[] },
  stdio: StdioOptions,
) {
  const common = [
    '--port',
    String(port),
    '--namespace',
    namespace,
    '--log-level',
    'warn',
    '--log-format',
    'json',
  ];
  const settings = DYNAMIC_CONFIG.map((value) => `--dynamic-config-value=${value}`);
  return spawn(program, ['server', 'start-dev', ...common, ...flags, ...settings], {
    stdio,
    detached: true,
    env: { ...process.env, TEMPORAL_CONFIG_FILE: devNull },
  });
}

/** Waits until the namespace can be used, which is a moment after the port has opened. */
export async function untilTemporalAnswers(address: string, namespace: string): Promise<void> {
  const connection = await Connection.connect({ address, connectTimeout: '2s' });
  try {
    await connection.workflowService.describeNamespace({ namespace });
  } finally {
    await connection.close();
  }
}
