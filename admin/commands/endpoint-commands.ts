import { readFile, stat } from 'node:fs/promises';
import { readConfig } from '../../adapters/config/read-config.ts';
import { allowedCidrsConfig } from '../../adapters/config/webhook-config.ts';
import { createWebhookUrlCheck } from '../../adapters/webhooks/webhook-url.ts';
import { createEndpoint, updateEndpoint } from '../../commands/webhooks/save-endpoint.ts';
import { deleteEndpoint, enableEndpoint } from '../../commands/webhooks/change-endpoint-health.ts';
import { MAX_OVERLAP_SECONDS, rotateSecret } from '../../commands/webhooks/rotate-secret.ts';
import {
  DEFAULT_PAUSE_HOURS,
  MAX_PAUSE_HOURS,
  pauseEndpoint,
  resumeEndpoint,
} from '../../commands/webhooks/pause-endpoint.ts';
import { sendTestEvent } from '../../commands/webhooks/send-test-event.ts';
import { presentEndpoint } from '../../api/webhook-endpoints/present.ts';
import type { WebhookEndpointRow } from '../../db/entities/webhooks/webhook-endpoint.entity.ts';
import { findQueueLags, type QueueLag } from '../../db/webhooks/queue/unread-queues.ts';
import { listEndpoints } from '../../db/webhooks/endpoints/list-endpoints.ts';
import { endpointRules } from '../../domain/webhooks/endpoint-rules.schema.ts';
import { ownHeaderLines } from '../../domain/webhooks/own-headers.schema.ts';
import { DEFAULT_SUBSCRIPTION, SUBSCRIPTION_PATTERNS } from '../../domain/webhooks/subscription.ts';
import { adminCommand, listOfClinic } from '../admin-command.ts';
import { AdminFailure } from '../failures.ts';
import { clearable, localPath, flag, idOf, listOf, oneOf, option, wholeNumber, written } from '../options.ts';
import { readSealing } from '../service-keys.ts';

const events = listOf(oneOf(SUBSCRIPTION_PATTERNS)).refine(
  (list) => list.length > 0,
  'must name at least one event',
);

const create = adminCommand({
  words: 'endpoint create',
  summary: 'Add a webhook endpoint. Its secret is shown only once',
  options: {
    tenant: idOf('clinic'),
    url: option(written(endpointRules.url).optional(), 'https://…', 'URL that receives the events'),
    pull: flag('a queue that its system reads, instead of a URL'),
    events: option(
      events.default([...DEFAULT_SUBSCRIPTION]),
      'a,b',
      `any of ${SUBSCRIPTION_PATTERNS.join(', ')}; by default every event`,
    ),
    description: option(
      clearable(written(endpointRules.description)).optional(),
      'text',
      'what the endpoint is for',
    ),
  },
  async run({ tenant, url, pull, events: wanted, description = null }, dependencies) {
    if ((url === undefined) !== pull) throw new AdminFailure('name either --url or --pull');
    const { allowedCidrs } = readConfig({ allowedCidrs: allowedCidrsConfig }, dependencies.environment);
    readSealing(dependencies.environment);
    const verdict = url === undefined ? null : await createWebhookUrlCheck({ allowedCidrs })(url);
    if (verdict?.ok === false) throw new AdminFailure(`--url: ${verdict.message}`);
    const input = { tenantId: tenant, url: verdict?.url ?? null, events: [...new Set(wanted)], description };
    const { endpoint, secret } = await dependencies.database.write((em) =>
      createEndpoint(em, input, dependencies.context),
    );
    return withSecret(endpoint, secret, dependencies.context.now);
  },
});

/** How far behind the reader of a pull endpoint is. */
function behind({ readAt }: WebhookEndpointRow, { waiting, oldestAt }: QueueLag) {
  return {
    waiting,
    oldestWaitingAt: oldestAt?.toISOString() ?? null,
    readAt: readAt?.toISOString() ?? null,
  };
}

/** Deliveries in a queue are counted up to this number. */
const MAX_COUNTED = 10_000;

const list = listOfClinic(
  {
    words: 'endpoint list',
    summary: "List a clinic's endpoints, oldest first",
    columns: ['id', 'status', 'url', 'failingSince', 'deactivateAt', 'pausedUntil', 'waiting'],
  },
  async (em, tenantId, now) => {
    const lags = await findQueueLags(em, { tenantId, atMost: MAX_COUNTED });
    return (await listEndpoints(em, tenantId)).map((row) => {
      const lag = lags.get(row.id);
      return { ...presentEndpoint(row, now), ...(lag && behind(row, lag)) };
    });
  },
);

const enable = adminCommand({
  words: 'endpoint enable',
  summary: 'Enable an endpoint that is failing, deactivated or disabled',
  options: { endpoint: idOf('endpoint') },
  run: async ({ endpoint }, { database, context }) =>
    presentEndpoint(
      await database.write((em) => enableEndpoint(em, ofAnyClinic(endpoint), context)),
      context.now,
    ),
});

const disable = adminCommand({
  words: 'endpoint disable',
  summary: 'Disable an endpoint. Its open deliveries become skipped',
  options: { endpoint: idOf('endpoint') },
  run: async ({ endpoint }, { database, context }) =>
    presentEndpoint(
      await database.write((em) =>
        updateEndpoint(em, { ...ofAnyClinic(endpoint), fields: {}, enabled: false }, context),
      ),
      context.now,
    ),
});

const pause = adminCommand({
  words: 'endpoint pause',
  summary: 'Pause an endpoint. Deliveries wait without attempts',
  options: {
    endpoint: idOf('endpoint'),
    hours: option(
      wholeNumber(1, MAX_PAUSE_HOURS).default(DEFAULT_PAUSE_HOURS),
      'hours',
      `when the pause ends by itself, by default after ${DEFAULT_PAUSE_HOURS}`,
    ),
  },
  run: async ({ endpoint, hours }, { database, context }) =>
    presentEndpoint(
      await database.write((em) => pauseEndpoint(em, { ...ofAnyClinic(endpoint), hours }, context)),
      context.now,
    ),
});

const resume = adminCommand({
  words: 'endpoint resume',
  summary: 'End the pause of an endpoint',
  options: { endpoint: idOf('endpoint') },
  run: async ({ endpoint }, { database, context }) =>
    presentEndpoint(
      await database.write((em) => resumeEndpoint(em, ofAnyClinic(endpoint), context)),
      context.now,
    ),
});

const setHeaders = adminCommand({
  words: 'endpoint set-headers',
  summary: 'Replace the own headers of an endpoint; an empty file removes them',
  options: {
    endpoint: idOf('endpoint'),
    // Not an option of its own: a password would stay in the history of the shell.
    file: option(localPath, 'file', 'one header per line, such as X-Gateway-Key: value'),
  },
  async run({ endpoint, file }, { database, environment, context }) {
    const headers = ownHeaderLines.safeParse(await readHeaders(file));
    if (!headers.success) throw new AdminFailure(`--file: ${headers.error.issues[0]?.message}`);
    readSealing(environment);
    const change = { ...ofAnyClinic(endpoint), fields: {}, headers: headers.data };
    return presentEndpoint(await database.write((em) => updateEndpoint(em, change, context)), context.now);
  },
});

/** Larger files cannot be headers. */
const MAX_HEADER_BYTES = 64 * 1024;

async function readHeaders(path: string): Promise<string> {
  const { size } = await stat(path).catch(() => ({ size: null }));
  if (size === null) throw new AdminFailure(`--file: ${path} cannot be read`);
  if (size > MAX_HEADER_BYTES) throw new AdminFailure(`--file: ${path} is too long to be a list of headers`);
  return readFile(path, 'utf8');
}

const remove = adminCommand({
  words: 'endpoint delete',
  summary: 'Delete an endpoint. Its past deliveries are kept',
  options: { endpoint: idOf('endpoint') },
  async run({ endpoint }, { database, context }) {
    await database.write((em) => deleteEndpoint(em, ofAnyClinic(endpoint), context));
    return { id: endpoint, deletedAt: context.now.toISOString() };
  },
});

const rotate = adminCommand({
  words: 'endpoint rotate-secret',
  summary: 'Rotate the secret of an endpoint. The new secret is shown only once',
  options: {
    endpoint: idOf('endpoint'),
    overlapSeconds: option(
      wholeNumber(0, MAX_OVERLAP_SECONDS).default(MAX_OVERLAP_SECONDS),
      'seconds',
      'how long the old secret stays valid, by default a day',
    ),
  },
  async run({ endpoint: wanted, overlapSeconds }, { database, environment, context }) {
    const input = { ...ofAnyClinic(wanted), overlapSeconds };
    readSealing(environment);
    const { endpoint, secret } = await database.write((em) => rotateSecret(em, input, context));
    return withSecret(endpoint, secret, context.now);
  },
});

const sendTest = adminCommand({
  words: 'endpoint test',
  summary: 'Send a test event, without retries',
  options: { endpoint: idOf('endpoint') },
  run: ({ endpoint }, { database, context }) =>
    database.write((em) => sendTestEvent(em, { ...ofAnyClinic(endpoint), exampleOf: null }, context)),
});

/**
 * The commands for endpoints. Those for waiting and failed deliveries are in delivery-commands.ts.
 */
export const endpointCommands = [
  create,
  list,
  enable,
  disable,
  pause,
  resume,
  setHeaders,
  remove,
  rotate,
  sendTest,
];

function ofAnyClinic(endpointId: string) {
  return { tenantId: null, endpointId };
}

function withSecret(endpoint: WebhookEndpointRow, secret: string, now: Date) {
  const { id, ...rest } = presentEndpoint(endpoint, now);
  return { id, secret, ...rest };
}
