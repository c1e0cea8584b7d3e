import { readFile } from 'node:fs/promises';
import { startService, type RunningInstance } from '../test/support/service.ts';
import { measureThroughput } from './api-throughput.ts';
import { createBenchClinic } from './bench-clinic.ts';
import { measureEventLatency } from './event-latency.ts';
import { measureIsolation } from './isolation.ts';
import { measureLists } from './list-latency.ts';

/** `npm run bench`: everything on this machine, as `npm start` runs it. Prints one JSON document. */
const service = await startService({ RATE_LIMITS_DISABLED: 'true', LOG_LEVEL: 'warn' });
try {
  const clinic = await createBenchClinic(service, 20);
  const eventLatency = await measureEventLatency(service, clinic, { perSecond: 10, count: 300 });
  const isolation = await measureIsolation(service);
  const residentMegabytes = await readResidentMegabytes(service);
  const { worker, temporal } = service.running().pids;
  // The API is measured by itself: what the worker would do with the bookings competes for the same processors.
  for (const pid of [worker, temporal]) if (pid !== null) process.kill(pid, 'SIGSTOP');
  const throughput = await measureThroughput(service, await createBenchClinic(service, 20));
  const lists = await measureLists(service, await createBenchClinic(service, 20));
  for (const pid of [worker, temporal]) if (pid !== null) process.kill(pid, 'SIGCONT');
  process.stdout.write(
    `${JSON.stringify({ eventLatency, isolation, residentMegabytes, throughput, lists }, null, 2)}\n`,
  );
} finally {
  await service.stop();
}

async function readResidentMegabytes(instance: RunningInstance) {
  const { api, worker } = instance.running().pids;
  return { api: await residentMegabytes(api), worker: await residentMegabytes(worker) };
}

/** Linux only; null elsewhere. */
async function residentMegabytes(pid: number | null): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(status)?.[1];
  return kilobytes === undefined ? null : Math.round(Number(kilobytes) / 1024);
}
