import { z } from 'zod';
import { findClinics } from '../../db/support/desk-search.ts';
import { listDeliveries } from '../../db/webhooks/deliveries/list-deliveries.ts';
import { deliveryStatus } from '../../domain/named-enums.schema.ts';
import { isRowId } from '../../domain/row-id.ts';
import { html } from '../../pages/html.ts';
import { nextPage, table } from '../layout/components.ts';
import { supportPage, type PageRoute } from '../serving/page-request.ts';
import { EVENT_WORDS } from '../webhooks/event-words.ts';
import { DELIVERY_WORDS } from '../webhooks/deliveries/words.ts';
import { clinicLink, clinicTime } from './clinic-times.ts';
import { hostOf } from '../webhooks/endpoints/endpoint-state.ts';
import { DESK_WORDS } from './desk-words.ts';
import { stateOf } from './happened-then.ts';

const PAGE = 50;

const filters = z.object({
  clinic: z.guid().optional().catch(undefined),
  endpoint: z.guid().optional().catch(undefined),
  event: z.string().refine(isRowId).optional().catch(undefined),
  status: deliveryStatus.optional().catch(undefined),
  cursor: z.guid().optional().catch(undefined),
});

/** Deliveries of a clinic, an endpoint or an event, latest first; all without a filter. */
export function supportDeliveryLists(): PageRoute[] {
  return [
    supportPage('GET', '/support/deliveries', async ({ query, view, read }) => {
      const { clinic, endpoint, event, status, cursor } = filters.parse(Object.fromEntries(query));
      const wanted = { tenantId: clinic, endpointId: endpoint, eventId: event, status, before: cursor };
      const { found, clinics } = await read(async (em) => {
        const deliveries = await listDeliveries(em, { ...wanted, limit: PAGE + 1 });
        const ids = deliveries.map(({ delivery }) => delivery.tenantId);
        return { found: deliveries, clinics: await findClinics(em, ids) };
      });
      const { heads, list } = DESK_WORDS[view.language];
      const { types } = EVENT_WORDS[view.language];
      const rows = found.slice(0, PAGE).flatMap(({ delivery, endpointUrl, attempts }) => {
        const { id, tenantId, eventType, createdAt } = delivery;
        const owner = clinics.get(tenantId);
        if (!owner) return [];
        const link = html`<a href="/support/deliveries/${id}">${clinicTime(view, owner, createdAt)}</a>`;
        const state = stateOf(view, delivery, attempts.at(-1));
        return [{ cells: [link, clinicLink(owner), types[eventType], hostOf(endpointUrl), state] }];
      });
      const next = found.length > PAGE ? (found[PAGE - 1]?.delivery.id ?? null) : null;
      return {
        title: list.title,
        body: html`${table({
          caption: list.title,
          heads: [heads.happened, heads.clinic, heads.event, heads.host, heads.status],
          rows,
          empty: list.none,
        })}
        ${nextPage(query, next, DELIVERY_WORDS[view.language].next)}`,
      };
    }),
  ];
}
