import { requireFound } from '../../commands/require-found.ts';
import { findEvent, listEvents } from '../../db/webhooks/events/find-events.ts';
import { scopesToReadEvent } from '../../domain/webhooks/event-scopes.ts';
import { answer, implement } from '../contract/implement.ts';
import { presentPage } from '../contract/presented.ts';
import { requireScopes } from '../contract/caller.ts';
import { eventCursor, webhookEventContracts } from './contract.ts';
import { presentEvent, presentEventDetail } from './present.ts';

export const webhookEventRoutes = implement(webhookEventContracts, () => ({
  listWebhookEvents: async ({ query: { cursor, limit, ...filters }, caller, read }) => {
    const wanted = { ...filters, tenantId: caller.tenantId, before: cursor, limit: limit + 1 };
    const items = (await read((em) => listEvents(em, wanted))).map(presentEvent);
    return answer(200, presentPage(items, limit, eventCursor));
  },
  getWebhookEvent: async ({ path, caller, read }) => {
    const event = await read((em) => findEvent(em, caller.tenantId, path.id));
    const found = requireFound(event, 'event', path.id);
    requireScopes(caller, ['webhooks:read', ...scopesToReadEvent(found.event.type)]);
    return answer(200, presentEventDetail(found));
  },
}));
