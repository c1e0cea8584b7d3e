import type { SecretCipher } from '../../adapters/secret-cipher.ts';
import type { Database } from '../../db/connection/open-database.ts';
import { findEvent, listEvents } from '../../db/webhooks/list-events.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { scopesToReadEvent } from '../../domain/webhooks/event-scopes.ts';
import { answer, implement, type Route } from '../contract/implement.ts';
import { presentPage } from '../contract/present-page.ts';
import { requireScopes } from '../contract/caller.ts';
import { eventCursor, webhookEventContracts } from './contract.ts';
import { presentEvent, presentEventDetail } from './present.ts';

export interface WebhookEventDependencies {
  database: Database;
  cipher: SecretCipher;
}

export function webhookEventRoutes({ database, cipher }: WebhookEventDependencies): Route[] {
  return implement(webhookEventContracts, {
    listWebhookEvents: async ({ query: { cursor, limit, ...filters }, caller }) => {
      const before = cursor && { createdAt: new Date(cursor[0]), id: cursor[1] };
      const wanted = { ...filters, tenantId: caller.tenantId, before, limit: limit + 1 };
      const items = (await listEvents(database.em(), wanted)).map(presentEvent);
      const place = ({ createdAt, id }: { createdAt: string; id: string }) =>
        eventCursor.encode([Date.parse(createdAt), id]);
      return answer(200, presentPage(items, limit, place));
    },
    getWebhookEvent: async ({ path, caller }) => {
      const found = await findEvent(database.em(), caller.tenantId, path.id);
      if (!found) throw new ServiceError('not_found', `There is no event with the id ${path.id}.`);
      requireScopes(caller, ['webhooks:read', ...scopesToReadEvent(found.event.type)]);
      return answer(200, presentEventDetail(found, cipher));
    },
  });
}
