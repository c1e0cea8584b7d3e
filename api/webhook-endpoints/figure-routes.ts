import { readEndpoint } from '../../commands/webhooks/require-endpoint.ts';
import { countReplayed } from '../../db/webhooks/endpoint-replay.ts';
import { answer, implement, type Route } from '../contract/implement.ts';
import { placeOf } from './endpoint-of-path.ts';
import { MOST_PREVIEWED, webhookEndpointFigureContracts } from './figures.contract.ts';

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
  });
}
