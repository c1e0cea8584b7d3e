import { isReadToNote, noteRead, queuePage, readPullEndpoint } from '../../commands/webhooks/read-queue.ts';
import { fieldError } from '../../domain/service-error.ts';
import { scopesToReadEvent, scopesToReceive } from '../../domain/webhooks/event-scopes.ts';
import { requireScopes } from '../contract/caller.ts';
import { answer, implement } from '../contract/implement.ts';
import { webhookQueueContracts } from './contract.ts';
import { encodeQueueCursor } from './queue-cursor.ts';

export const webhookQueueRoutes = implement(webhookQueueContracts, ({ queues, now }) => ({
  readWebhookQueue: async ({ path, query, caller, context, isHead, read, write }) => {
    const { id: endpointId } = path;
    const place = { tenantId: caller.tenantId, endpointId };
    const { cursor, limit, waitSeconds } = query;
    const { events, isToNote } = await read(async (em) => {
      const endpoint = await readPullEndpoint(em, place);
      return { events: endpoint.events, isToNote: isReadToNote(em, endpoint, context.now) };
    });
    requireScopes(caller, ['webhooks:write', ...scopesToReceive(events)]);
    if (cursor && cursor.endpointId !== endpointId)
      throw fieldError('query.cursor', 'must be a cursor of this endpoint’s queue');
    const acknowledged = cursor?.deliveryIds ?? [];
    // HEAD changes nothing.
    if (!isHead && (isToNote || acknowledged.length > 0))
      await write((em) => noteRead(em, { ...place, isToNote, acknowledged }, context));
    let queued = await read((em) => queuePage(em, place, limit, now()));
    if (queued.items.length === 0 && waitSeconds > 0 && !isHead) {
      await queues.wait(place, waitSeconds * 1000);
      queued = await read(async (em) => {
        await readPullEndpoint(em, place);
        return queuePage(em, place, limit, now());
      });
    }
    // Events that the endpoint no longer names may still wait, and it may name others since this request began.
    const { items, eventTypes } = queued;
    requireScopes(caller, [...new Set(eventTypes.flatMap(scopesToReadEvent))]);
    const deliveryIds = items.map(({ deliveryId }) => deliveryId);
    return answer(200, { items, cursor: encodeQueueCursor({ endpointId, deliveryIds }) });
  },
}));
