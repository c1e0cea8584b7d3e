import { createEndpoint, updateEndpoint } from '../../commands/webhooks/save-endpoint.ts';
import { deleteEndpoint, enableEndpoint } from '../../commands/webhooks/change-endpoint-health.ts';
import { pauseEndpoint, resumeEndpoint } from '../../commands/webhooks/pause-endpoint.ts';
import { readEndpoint } from '../../commands/webhooks/require-endpoint.ts';
import { rotateSecret } from '../../commands/webhooks/rotate-secret.ts';
import { sendTestEvent } from '../../commands/webhooks/send-test-event.ts';
import { replayDeliveries } from '../../commands/webhooks/sending-again/replay-deliveries.ts';
import { retryEndpointNow } from '../../commands/webhooks/sending-again/retry-now.ts';
import { countReplayed } from '../../db/webhooks/endpoints/endpoint-replay.ts';
import { endpointStatistics } from '../../db/webhooks/endpoints/endpoint-statistics.ts';
import { listEndpoints } from '../../db/webhooks/endpoints/list-endpoints.ts';
import { fieldError } from '../../domain/service-error.ts';
import { scopesToReceive, scopesToRedirect } from '../../domain/webhooks/event-scopes.ts';
import type { RouteDependencies } from '../api-dependencies.ts';
import { answer, implement } from '../contract/implement.ts';
import { requireScopes, type Caller } from '../contract/caller.ts';
import { MAX_COUNTED, MAX_PREVIEWED, webhookEndpointActionContracts } from './actions.contract.ts';
import { webhookEndpointContracts } from './contract.ts';
import { webhookEndpointStateContracts } from './state.contract.ts';
import { presentEndpoint, presentStatistics } from './present.ts';

const HOUR_MS = 3_600_000;

export const webhookEndpointRoutes = implement(
  webhookEndpointContracts,
  ({ checkWebhookUrl, egressAddresses }) => ({
    listWebhookEndpoints: async ({ caller, context, read }) => {
      const endpoints = await read((em) => listEndpoints(em, caller.tenantId));
      return answer(200, { items: endpoints.map((row) => presentEndpoint(row, context.now)) });
    },
    createWebhookEndpoint: async ({ body, caller, context, write }) => {
      // A caller that chooses where events go can read them.
      requireScopes(caller, ['webhooks:write', ...scopesToReceive(body.events)]);
      const { delivery: _delivery, url: given, ...fields } = body;
      const url = given === undefined ? null : await checkedUrl(checkWebhookUrl, given);
      const input = { ...fields, tenantId: caller.tenantId, url };
      const { endpoint, secret } = await write((em) => createEndpoint(em, input, context));
      return answer(201, { ...presentEndpoint(endpoint, context.now), secret });
    },
    getWebhookEndpoint: async ({ path, caller, context, read }) => {
      const endpoint = await read((em) => readEndpoint(em, placeOf(caller, path)));
      return answer(200, presentEndpoint(endpoint, context.now));
    },
    updateWebhookEndpoint: async ({ path, body, caller, context, read, write }) => {
      const { enabled, url, headers, ...fields } = body;
      // Before the name is resolved: an unknown endpoint is a 404, whatever the URL.
      const old = await read((em) => readEndpoint(em, placeOf(caller, path)));
      const isNewUrl = url !== undefined && url !== old.url;
      if (isNewUrl || fields.events)
        requireScopes(caller, [
          'webhooks:write',
          ...scopesToRedirect(old.events, fields.events ?? old.events),
        ]);
      // A pull endpoint has none to check: its update is refused.
      const newUrl = isNewUrl && old.url !== null ? await checkedUrl(checkWebhookUrl, url) : url;
      const input = { ...placeOf(caller, path), fields: { ...fields, url: newUrl }, enabled, headers };
      const changed = await write((em) => updateEndpoint(em, input, context));
      return answer(200, presentEndpoint(changed, context.now));
    },
    deleteWebhookEndpoint: async ({ path, caller, context, write }) => {
      await write((em) => deleteEndpoint(em, placeOf(caller, path), context));
      return answer(204, undefined);
    },
    getWebhookSources: async () => answer(200, { addresses: [...egressAddresses] }),
  }),
);

export const webhookEndpointStateRoutes = implement(webhookEndpointStateContracts, () => ({
  enableWebhookEndpoint: async ({ path, caller, context, write }) => {
    const enabled = await write((em) => enableEndpoint(em, placeOf(caller, path), context));
    return answer(200, presentEndpoint(enabled, context.now));
  },
  pauseWebhookEndpoint: async ({ path, body, caller, context, write }) => {
    const input = { ...placeOf(caller, path), ...body };
    const paused = await write((em) => pauseEndpoint(em, input, context));
    return answer(200, presentEndpoint(paused, context.now));
  },
  resumeWebhookEndpoint: async ({ path, caller, context, write }) => {
    const resumed = await write((em) => resumeEndpoint(em, placeOf(caller, path), context));
    return answer(200, presentEndpoint(resumed, context.now));
  },
}));

/** Further actions on an endpoint. */
export const webhookEndpointActionRoutes = implement(webhookEndpointActionContracts, () => ({
  rotateWebhookSecret: async ({ path, body, caller, context, write }) => {
    const input = { ...placeOf(caller, path), ...body };
    const { endpoint, secret } = await write((em) => rotateSecret(em, input, context));
    return answer(200, { ...presentEndpoint(endpoint, context.now), secret });
  },
  sendWebhookTestEvent: async ({ path, body, caller, context, write }) => {
    const input = { ...placeOf(caller, path), exampleOf: body.type ?? null };
    return answer(202, await write((em) => sendTestEvent(em, input, context)));
  },
  retryWebhookEndpointNow: async ({ path, caller, context, write }) =>
    answer(202, await write((em) => retryEndpointNow(em, placeOf(caller, path), context))),
  replayWebhookDeliveries: async ({ path, body, caller, context, write }) => {
    const { since, until = null, include } = body;
    const input = { ...placeOf(caller, path), since, until, include: include ?? ('missing' as const) };
    return answer(202, await write((em) => replayDeliveries(em, input, context)));
  },
  previewWebhookReplay: async ({ path, query, caller, context, read }) => {
    const { since, until = context.now, include = 'missing' } = query;
    const place = placeOf(caller, path);
    const deliveries = await read(async (em) => {
      await readEndpoint(em, place);
      return countReplayed(em, { ...place, since, until, include }, MAX_PREVIEWED);
    });
    return answer(200, { deliveries });
  },
  getWebhookEndpointStatistics: async ({ path, query: { hours }, caller, context, read }) => {
    const place = placeOf(caller, path);
    const since = new Date(context.now.getTime() - hours * HOUR_MS);
    const statistics = await read(async (em) => {
      await readEndpoint(em, place);
      return endpointStatistics(em, { ...place, since }, MAX_COUNTED);
    });
    return answer(200, presentStatistics(statistics, { hours, since, atMost: MAX_COUNTED }));
  },
}));

/** The endpoint in the path, which must belong to the caller's clinic. */
function placeOf({ tenantId }: Caller, { id }: { id: string }) {
  return { tenantId, endpointId: id };
}

async function checkedUrl(check: RouteDependencies['checkWebhookUrl'], text: string): Promise<string> {
  const verdict = await check(text);
  if (!verdict.ok) throw fieldError('body.url', verdict.message);
  return verdict.url;
}
