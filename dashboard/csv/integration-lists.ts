import { listApiKeys } from '../../db/clinic/api-keys.ts';
import { listRequests, type LoggedRequest } from '../../db/requests/request-log.ts';
import { type DeliveryWithAttempts, listDeliveries } from '../../db/webhooks/deliveries/list-deliveries.ts';
import { instantOfId } from '../../domain/first-id.ts';
import { SOUGHT } from '../layout/narrowing.ts';
import type { ClinicRequest } from '../serving/page-request.ts';
import { MOST_KEYS, wantedRequests } from '../request-log/request-pages.ts';
import { readFilters, readSought } from '../webhooks/deliveries/delivery-filters.ts';
import { DELIVERY_WORDS } from '../webhooks/deliveries/words.ts';
import { shortUrl } from '../webhooks/endpoints/endpoint-state.ts';
import { localTime, timeHead, type CsvList } from './csv-download.ts';
import { CSV_WORDS } from './words.ts';

export function deliveryList({ tenantId, query, view, read }: ClinicRequest): CsvList<DeliveryWithAttempts> {
  const { heads } = CSV_WORDS[view.language];
  const { states } = DELIVERY_WORDS[view.language];
  const at = localTime(view);
  const { fields } = readFilters(query, view);
  const sought = (query.get(SOUGHT) ?? '').trim();
  return {
    name: 'deliveries',
    columns: [
      [timeHead(heads.happened, view), ({ delivery }) => at(delivery.createdAt)],
      [heads.event, ({ delivery }) => delivery.eventType],
      [heads.receiver, ({ delivery, endpointUrl }) => shortUrl(delivery.url ?? endpointUrl)],
      [heads.status, ({ delivery }) => states[delivery.status]],
      [heads.attempts, ({ delivery }) => delivery.attemptCount],
      [heads.error, ({ delivery }) => delivery.lastErrorClass],
      [heads.answer, ({ attempts }) => attempts.at(-1)?.responseStatus],
      [heads.id, ({ delivery }) => delivery.id],
    ],
    page: (after, limit) =>
      read(async (em) => {
        // What cannot be read asks for nothing.
        if (!fields) return [];
        const meant = sought === '' ? {} : await readSought(em, tenantId, sought);
        const before = after?.delivery.id;
        return listDeliveries(em, { ...fields, ...meant, tenantId, before, limit });
      }),
  };
}

export function requestList({ tenantId, query, view, read, context }: ClinicRequest): CsvList<LoggedRequest> {
  const { heads } = CSV_WORDS[view.language];
  const at = localTime(view);
  return {
    name: 'requests',
    columns: [
      [timeHead(heads.happened, view), ({ id }) => at(instantOfId(id))],
      [heads.request, ({ method, route }) => `${method} ${route}`],
      [heads.answer, ({ status }) => status],
      [heads.error, ({ error }) => error],
      [heads.milliseconds, ({ durationMs }) => durationMs],
      [heads.id, ({ id }) => id],
    ],
    page: (after, limit) =>
      read(async (em) => {
        const keys = await listApiKeys(em, { tenantId, before: undefined, limit: MOST_KEYS });
        const wanted = wantedRequests(query, keys);
        if (wanted === null) return [];
        return listRequests(em, { ...wanted, tenantId, before: after?.id, limit }, context.now);
      }),
  };
}
