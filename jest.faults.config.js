import { existsSync } from 'node:fs';
import { servedSuites } from './jest.config.js';

const SUITES = [
  'requests/faults/api-processes',
  'requests/faults/failover',
  'requests/faults/answers-to-faults',
  'requests/faults/frozen-database.long',
  'requests/faults/lost-connections',
  'requests/faults/no-descriptors',
  'clients/connector-outage.long',
  'db/pooler.long',
  'requests/limits/over-limit',
  'requests/limits/shared-limits.long',
  'adapters/webhooks/webhook-connection',
  'webhooks/attempt-delivery',
  'webhooks/first-attempts',
  'webhooks/isolation.long',
  'webhooks/killed-after-answer.long',
  'webhooks/put-off-retries',
  'outbox/delivery-workflows',
  'outbox/outbox-fairness',
  'outbox/random-schedule.long',
  'outbox/steady-bookings.long',
  'outbox/frozen-worker.long',
  'outbox/locked-outbox.long',
  'outbox/cut-off-worker.long',
  'worker/namespace-gone.long',
  'worker/process',
  'worker/turns-at-the-engine',
  'dev/ctrl-c.long',
  'dev/lost-data-directory.long',
  'dev/supervision',
  'admin/stuck-work.long',
  'admin/ten-ways-stuck.long',
  'ops/alerts.long',
  'ops/alerts-api.long',
  'ops/alerts-deliveries.long',
  'ops/alerts-workflows.long',
  'ops/alertmanager.long',
].map((suite) => `test/${suite}.test.ts`);

// A pattern without a file would leave its faults out, silently.
const missing = SUITES.filter((suite) => !existsSync(new URL(suite, import.meta.url)));
if (missing.length > 0) throw new Error(`no such suites: ${missing.join(', ')}`);

/** The fault suite, `npm run faults`: real processes that are killed, frozen, cut off or robbed of what they stand on. */
export default servedSuites(SUITES.map((suite) => `<rootDir>/${suite}`));
