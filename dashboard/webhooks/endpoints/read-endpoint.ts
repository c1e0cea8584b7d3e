import { readEndpoint } from '../../../commands/webhooks/require-endpoint.ts';
import type { EntityManager } from '../../../db/connection/open-database.ts';
import { countReplayed } from '../../../db/webhooks/endpoints/endpoint-replay.ts';
import { findAnswers } from '../../../db/webhooks/endpoints/endpoint-answers.ts';
import { endpointCourse, type CoursePeriod } from '../../../db/webhooks/endpoints/endpoint-statistics.ts';
import type { WebhookEndpointRow } from '../../../db/entities/webhooks/webhook-endpoint.entity.ts';
import { deliveryMode } from '../../../domain/webhooks/delivery-mode.ts';
import { countRetries } from '../../../db/webhooks/deliveries/hasten-deliveries.ts';
import { findQueueLags } from '../../../db/webhooks/queue/unread-queues.ts';
import { MAX_QUEUED } from './endpoint-state.ts';
import { findLastFailure } from '../../../db/webhooks/deliveries/last-failure.ts';
import { readSecrets } from '../../../commands/webhooks/signing-secrets.ts';
import type { ClinicRequest } from '../../serving/page-request.ts';
import { listDeliveries } from '../../../db/webhooks/deliveries/list-deliveries.ts';
import { findVisitsOf } from '../deliveries/delivery-table.ts';
import { HOURS } from '../../layout/bar-chart.ts';
import { MAX_OF_A_STRETCH } from './endpoint-figures.ts';
import { MAX_COUNTED } from '../deliveries/retry-all.ts';
import type { ShownEndpoint } from './endpoint-page.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** How far back missed events are replayed; after longer gaps, reading the appointments is better. */
const MISSED_WITHIN_MS = 30 * DAY_MS;

export interface EndpointPlace {
  tenantId: string;
  endpointId: string;
}

export function placeOf({ tenantId, id }: ClinicRequest): EndpointPlace {
  return { tenantId, endpointId: id };
}

/** The range of a replay of all missed events. */
export function missedWithin(place: EndpointPlace, now: Date) {
  const since = new Date(now.getTime() - MISSED_WITHIN_MS);
  return { ...place, since, include: 'missing' as const };
}

/** The latest deliveries on the endpoint's page. */
const MAX_LATEST = 8;

/** Everything that the endpoint's page shows. @throws ServiceError `not_found` */
export function readShownEndpoint(request: ClinicRequest): Promise<ShownEndpoint> {
  const place = placeOf(request);
  const { now } = request.view;
  return request.read(async (em) => {
    const endpoint = await readEndpoint(em, place);
    const latest = await listDeliveries(em, { ...place, limit: MAX_LATEST });
    return {
      endpoint,
      latest,
      visits: await findVisitsOf(
        em,
        request,
        latest.map(({ delivery }) => delivery),
      ),
      courses: {
        day: await courseOf(em, { ...place, stretches: HOURS, stretchMs: HOUR_MS }, now),
        month: await courseOf(em, { ...place, stretches: 30, stretchMs: DAY_MS }, now),
      },
      lastFailure: await findLastFailure(em, place),
      answers: (await findAnswers(em, [endpoint.id], now)).get(endpoint.id),
      missed: await countReplayed(em, { ...missedWithin(place, now), until: now }, MAX_COUNTED),
      retries: await countRetries(em, [endpoint.id], MAX_COUNTED),
      secrets: await readSecrets(em, place),
      lag: await lagOf(em, endpoint),
    };
  });
}

/** Null for a push endpoint. */
async function lagOf(em: EntityManager, endpoint: WebhookEndpointRow) {
  if (deliveryMode(endpoint) === 'push') return null;
  const wanted = { tenantId: endpoint.tenantId, endpointId: endpoint.id, atMost: MAX_QUEUED };
  return (await findQueueLags(em, wanted)).get(endpoint.id) ?? null;
}

/** The results of a period until now. */
function courseOf(em: EntityManager, period: Omit<CoursePeriod, 'since'>, now: Date) {
  const since = new Date(now.getTime() - period.stretches * period.stretchMs);
  return endpointCourse(em, { ...period, since }, MAX_OF_A_STRETCH);
}
