import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

const DEADLINE_MS = 1000;

/** The metrics that we serve, out of about sixty in the SDK: https://docs.temporal.io/references/sdk-metrics */
export const SDK_METRICS: ReadonlySet<string> = new Set([
  'temporal_worker_task_slots_available',
  'temporal_worker_task_slots_used',
  'temporal_workflow_task_schedule_to_start_latency_seconds',
  'temporal_activity_schedule_to_start_latency_seconds',
  'temporal_workflow_task_execution_latency_seconds',
  'temporal_workflow_task_execution_failed_total',
  'temporal_activity_execution_failed_total',
  'temporal_sticky_cache_size',
  'temporal_request_failure_total',
]);

const NO_METRICS = async (): Promise<string> => '';

export type SdkMetrics = Awaited<ReturnType<typeof openSdkMetrics>>;

/**
 * The SDK counts in native code and serves the result on a port. We read it on loopback, so that the process has one
 * metrics address.
 */
export async function openSdkMetrics(isWanted: boolean) {
  if (!isWanted) return { exporter: undefined, read: NO_METRICS };
  const address = await freeLoopbackAddress();
  return {
    // For the SDK's runtime.
    exporter: {
      attachServiceName: false,
      prometheus: {
        bindAddress: address,
        countersTotalSuffix: true,
        unitSuffix: true,
        useSecondsForDurations: true,
      },
    },
    read: () => readFrom(address).catch(NO_METRICS),
  };
}

async function readFrom(address: string): Promise<string> {
  const answer = await fetch(`http://${address}/metrics`, { signal: AbortSignal.timeout(DEADLINE_MS) });
  return passedOn(await answer.text());
}

/** The lines of the metrics that we serve. Each metric starts with `# HELP`. */
function passedOn(text: string): string {
  let isPassedOn = false;
  const lines = text.split('\n').filter((line) => {
    if (line.startsWith('# ')) isPassedOn = SDK_METRICS.has(line.split(' ')[2] ?? '');
    return isPassedOn && line !== '';
  });
  return lines.map((line) => `${line}\n`).join('');
}

async function freeLoopbackAddress(): Promise<string> {
  await using server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return `127.0.0.1:${port}`;
}
