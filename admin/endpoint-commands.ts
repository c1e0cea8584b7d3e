import { readConfig } from '../adapters/config/read-config.ts';
import { encryptionConfig } from '../adapters/config/keys-config.ts';
import { allowedCidrsConfig } from '../adapters/config/webhook-config.ts';
import { createSecretCipher } from '../adapters/secret-cipher.ts';
import { createWebhookUrlCheck } from '../adapters/webhooks/webhook-url.ts';
import { createEndpoint } from '../commands/webhooks/create-endpoint.ts';
import { enableEndpoint } from '../commands/webhooks/enable-endpoint.ts';
import { presentEndpoint } from '../api/webhook-endpoints/present.ts';
import { listEndpoints } from '../db/webhooks/list-endpoints.ts';
import { requireTenant } from '../commands/clinic/require-tenant.ts';
import { DEFAULT_SUBSCRIPTION, SUBSCRIPTION_PATTERNS } from '../domain/webhooks/subscription.ts';
import { adminCommand } from './admin-command.ts';
import { AdminFailure } from './failures.ts';
import { idOf, listOf, oneOf, option, text } from './options.ts';

const events = listOf(oneOf(SUBSCRIPTION_PATTERNS)).refine(
  (list) => list.length > 0,
  'must name at least one event',
);

const create = adminCommand({
  words: 'endpoint create',
  summary: 'Add a webhook endpoint; its secret is shown this once',
  options: {
    tenant: idOf('clinic'),
    url: option(text(2048), 'https://…', 'where events are sent'),
    events: option(
      events.default([...DEFAULT_SUBSCRIPTION]),
      'a,b',
      `every event unless told: ${SUBSCRIPTION_PATTERNS.join(', ')}`,
    ),
    description: option(text(500).optional(), 'text', 'what the endpoint is for'),
  },
  async run({ tenant, url, events: wanted, description = null }, dependencies) {
    const { encryption, allowedCidrs } = readConfig(
      { encryption: encryptionConfig, allowedCidrs: allowedCidrsConfig },
      dependencies.environment,
    );
    const verdict = await createWebhookUrlCheck({ allowedCidrs })(url);
    if (!verdict.ok) throw new AdminFailure(`--url: ${verdict.message}`);
    const cipher = createSecretCipher(encryption.keys, encryption.format);
    const input = { tenantId: tenant, url: verdict.url, events: [...new Set(wanted)], description, cipher };
    const { endpoint, secret } = await dependencies.database.write((em) =>
      createEndpoint(em, input, dependencies.context),
    );
    const { id, ...rest } = presentEndpoint(endpoint);
    return { id, secret, ...rest };
  },
});

const list = adminCommand({
  words: 'endpoint list',
  summary: "A clinic's endpoints, oldest first",
  options: { tenant: idOf('clinic') },
  async run({ tenant }, { database }) {
    const em = database.em();
    await requireTenant(em, tenant);
    return { items: (await listEndpoints(em, tenant)).map(presentEndpoint) };
  },
});

const enable = adminCommand({
  words: 'endpoint enable',
  summary: 'Send events again to an endpoint that is failing, deactivated or disabled',
  options: { endpoint: idOf('endpoint') },
  run: async ({ endpoint }, { database, context }) =>
    presentEndpoint(
      await database.write((em) => enableEndpoint(em, { tenantId: null, endpointId: endpoint }, context)),
    ),
});

export const endpointCommands = [create, list, enable];
