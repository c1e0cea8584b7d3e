import { createEndpoint } from '../../commands/webhooks/create-endpoint.ts';
import { deleteEndpoint } from '../../commands/webhooks/delete-endpoint.ts';
import { presentEndpoint } from './present.ts';
import { readEndpoint } from '../../commands/webhooks/require-endpoint.ts';
import { updateEndpoint } from '../../commands/webhooks/update-endpoint.ts';
import { listEndpoints } from '../../db/webhooks/endpoints/list-endpoints.ts';
import { fieldError } from '../../domain/service-error.ts';
import { scopesToReceive } from '../../domain/webhooks/event-scopes.ts';
import type { RouteDependencies } from '../api-dependencies.ts';
import { answer, implement, type Route } from '../contract/implement.ts';
import { requireScopes, type Caller } from '../contract/caller.ts';
import { placeOf } from './endpoint-of-path.ts';
import { webhookEndpointContracts } from './contract.ts';

export function webhookEndpointRoutes({ checkWebhookUrl }: RouteDependencies): Route[] {
  return implement(webhookEndpointContracts, {
    listWebhookEndpoints: async ({ caller, read }) => {
      const endpoints = await read((em) => listEndpoints(em, caller.tenantId));
      return answer(200, { items: endpoints.map(presentEndpoint) });
    },
    createWebhookEndpoint: async ({ body, caller, context, write }) => {
      const { events, description = null, ignoreActors = [] } = body;
      requireMayReceive(caller, events);
      const input = {
        tenantId: caller.tenantId,
        events,
        description,
        ignoreActors,
        url: await checkedUrl(checkWebhookUrl, body.url),
      };
      const { endpoint, secret } = await write((em) => createEndpoint(em, input, context));
      return answer(201, { ...presentEndpoint(endpoint), secret });
    },
    getWebhookEndpoint: async ({ path, caller, read }) =>
      answer(200, presentEndpoint(await read((em) => readEndpoint(em, placeOf(caller, path))))),
    updateWebhookEndpoint: async ({ path, body, caller, context, read, write }) => {
      const { enabled, url, ...fields } = body;
      // Before the name is looked up: an unknown endpoint is a 404, whatever the URL.
      const old = await read((em) => readEndpoint(em, placeOf(caller, path)));
      const isNewUrl = url !== undefined && url !== old.url;
      if (isNewUrl || fields.events) requireMayReceive(caller, fields.events ?? old.events);
      const newUrl = isNewUrl ? await checkedUrl(checkWebhookUrl, url) : undefined;
      const input = { ...placeOf(caller, path), fields: { ...fields, url: newUrl }, enabled };
      return answer(200, presentEndpoint(await write((em) => updateEndpoint(em, input, context))));
    },
    deleteWebhookEndpoint: async ({ path, caller, context, write }) => {
      await write((em) => deleteEndpoint(em, placeOf(caller, path), context));
      return answer(204, undefined);
    },
  });
}

/** Whoever says where events go could as well read them: 403 without the scopes for what they hold. */
function requireMayReceive(caller: Caller, events: readonly string[]): void {
  requireScopes(caller, ['webhooks:write', ...scopesToReceive(events)]);
}

async function checkedUrl(check: RouteDependencies['checkWebhookUrl'], text: string): Promise<string> {
  const verdict = await check(text);
  if (!verdict.ok) throw fieldError('body.url', verdict.message);
  return verdict.url;
}
