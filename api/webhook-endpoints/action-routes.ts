import { enableEndpoint } from '../../commands/webhooks/enable-endpoint.ts';
import { presentEndpoint } from './present.ts';
import { replayDeliveries } from '../../commands/webhooks/sending-again/replay-deliveries.ts';
import { retryEndpointNow } from '../../commands/webhooks/sending-again/retry-endpoint-now.ts';
import { rotateSecret } from '../../commands/webhooks/rotate-secret.ts';
import { sendTestEvent } from '../../commands/webhooks/send-test-event.ts';
import { readEndpoint } from '../../commands/webhooks/require-endpoint.ts';
import { countReplayed } from '../../db/webhooks/endpoints/endpoint-replay.ts';
import { endpointStatistics } from '../../db/webhooks/endpoints/endpoint-statistics.ts';
import { answer, implement, type Route } from '../contract/implement.ts';
import { placeOf } from './endpoint-of-path.ts';
import { MOST_COUNTED, MOST_PREVIEWED, webhookEndpointActionContracts } from './actions.contract.ts';
import { presentStatistics } from './present-statistics.ts';

const HOUR_MS = 3_600_000;

export function webhookEndpointActionRoutes(): Route[] {
  return implement(webhookEndpointActionContracts, {
    enableWebhookEndpoint: async ({ path, caller, context, write }) =>
      answer(200, presentEndpoint(await write((em) => enableEndpoint(em, placeOf(caller, path), context)))),
    rotateWebhookSecret: async ({ path, body, caller, context, write }) => {
      const input = { ...placeOf(caller, path), ...body };
      const { endpoint, secret } = await write((em) => rotateSecret(em, input, context));
      return answer(200, { ...presentEndpoint(endpoint), secret });
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
        return countReplayed(em, { ...place, since, until, include }, MOST_PREVIEWED);
      });
      return answer(200, { deliveries });
    },
    getWebhookEndpointStatistics: async ({ path, query: { hours }, caller, context, read }) => {
      const place = placeOf(caller, path);
      const since = new Date(context.now.getTime() - hours * HOUR_MS);
      const statistics = await read(async (em) => {
        await readEndpoint(em, place);
        return endpointStatistics(em, { ...place, since }, MOST_COUNTED);
      });
      return answer(200, presentStatistics(statistics, { hours, since, atMost: MOST_COUNTED }));
    },
  });
}
