import { tmpdir } from 'node:os';
import { UnreadBytes } from '../../adapters/connections/unread-bytes.ts';
import { createApiMetrics } from '../../api/metrics/api-metrics.ts';
import { createDashboardMetrics } from '../../dashboard/metrics.ts';
import { SDK_METRICS } from '../../worker/metrics/sdk-metrics.ts';
import { createWorkerMetrics } from '../../worker/metrics/worker-metrics.ts';
import { createTestDatabase, openDatabaseAt } from '../support/database.ts';
import { temporalNowhere } from '../worker/temporal-nowhere.ts';

/** The names of all metrics that a process tells, each with the labels of the values it has by itself. */
export async function exportedMetrics(): Promise<Map<string, Set<string>>> {
  const own = await createTestDatabase();
  const database = await openDatabaseAt(own.url);
  const temporal = await temporalNowhere();
  const api = createApiMetrics(database, new UnreadBytes(), { recordings: tmpdir() });
  const worker = createWorkerMetrics({
    database,
    temporal: { client: () => temporal.client },
    readSdkMetrics: async () => '',
  });
  const dashboard = createDashboardMetrics(database, new UnreadBytes());
  const texts = [await api.expose(), await worker.expose(), await dashboard.expose()];
  await temporal.close();
  await database[Symbol.asyncDispose]();
  await own[Symbol.asyncDispose]();
  const found = new Map([...SDK_METRICS].map((name) => [name, new Set<string>()]));
  for (const text of texts) for (const [name, labels] of metricsIn(text)) found.set(name, labels);
  return found;
}

/** Of a text that Prometheus reads. */
function metricsIn(text: string): [string, Set<string>][] {
  return text
    .split(/^# HELP /m)
    .slice(1)
    .map((metric) => {
      const name = metric.split(' ', 1)[0] ?? '';
      const labels = [...metric.matchAll(/[{,](\w+)="/g)].map(([, label = '']) => label);
      return [name, new Set(labels.filter((label) => label !== 'le'))];
    });
}

/** What a histogram is called in a question: its buckets, their sum or their number. */
export function baseName(name: string): string {
  return name.replace(/_(bucket|sum|count)$/, '');
}
