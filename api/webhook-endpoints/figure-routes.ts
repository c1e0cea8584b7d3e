import { readEndpoint } from '../../commands/webhooks/require-endpoint.ts';
import { endpointStatistics } from '../../db/webhooks/endpoints/endpoint-statistics.ts';
import { countReplayed } from '../../db/webhooks/endpoints/endpoint-replay.ts';
import { answer, implement, type Route } from '../contract/implement.ts';
import { placeOf } from './endpoint-of-path.ts';
import { MOST_COUNTED, MOST_PREVIEWED, webhookEndpointFigureContracts } from './figures.contract.ts';
import { presentStatistics } from './present-statistics.ts';

const HOUR_MS = 3_600_000;

export function webhookEndpointFigureRoutes(): Route[] {
  return implement(webhookEndpointFigureContracts, {
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
