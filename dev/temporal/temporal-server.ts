import { spawn, type StdioOptions } from 'node:child_process';
import { devNull } from 'node:os';
import { Connection } from '@temporalio/client';

export type TemporalServerOptions = {
  /** 127.0.0.1 unless told. */
  host?: string;
  port: number;
  /** Null: no web UI. */
  uiPort: number | null;
  namespace: string;
  /** Null: everything is in memory and gone at the end. */
  stateFile: string | null;
  /** Name → type, registered in the namespace at the start. */
  searchAttributes: Record<string, string>;
};

/**
 * Nearly twice the workflow starts of the default. Killing the server loses nothing; only a crash of the whole machine may cost the
 * last moments, and what is missing then the hourly reconciliation starts again.
 */
const STATE_FILE_FLAGS = ['--sqlite-pragma=journal_mode=wal', '--sqlite-pragma=synchronous=1'];

const DYNAMIC_CONFIG = [
  // The server would otherwise ask a host on the internet whether it is out of date.
  'frontend.enableServerVersionCheck=false',
  // As in production. Read anew with every request, as this server has it, they take a sixth of its processor time.
  'system.forceSearchAttributesCacheRefreshOnRead=false',
  'system.forceNexusEndpointRefreshOnRead=false',
  // Clinics take turns in the queues: `deliveryStart` in worker/outbox/workflow-starts.ts.
  'matching.enableFairness=true',
];

export function startTemporalServer(program: string, options: TemporalServerOptions, stdio: StdioOptions) {
  const { host = '127.0.0.1', port, uiPort, namespace, stateFile, searchAttributes } = options;
  const flags = Object.entries({
    '--ip': host,
    '--port': String(port),
    '--namespace': namespace,
    '--log-level': 'warn',
    '--log-format': 'json',
    ...(uiPort === null ? {} : { '--ui-port': String(uiPort) }),
    ...(stateFile === null ? {} : { '--db-filename': stateFile }),
  }).flat();
  if (uiPort === null) flags.push('--headless');
  if (stateFile !== null) flags.push(...STATE_FILE_FLAGS);
  flags.push(...DYNAMIC_CONFIG.map((value) => `--dynamic-config-value=${value}`));
  const attributes = Object.entries(searchAttributes).map(
    ([name, type]) => `--search-attribute=${name}=${type}`,
  );
  return spawn(program, ['server', 'start-dev', ...flags, ...attributes], {
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
