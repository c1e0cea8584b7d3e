import { z } from 'zod';
import { hasValues, onlyRow, tables, type EntityManager, type RowOf } from '../connection/statements.ts';
import { missedEvents } from '../webhooks/endpoints/endpoint-replay.ts';

export interface UndeliveredEvents extends RowOf<
  'webhook_endpoint',
  'tenantId' | 'url' | 'status' | 'pausedUntil'
> {
  endpointId: string;
  /** Undelivered events that can be sent again, counted up to `MAX_COUNTED`. */
  events: number;
  oldest: Date;
  isClinicCanceled: boolean;
}

export interface UndeliveredQuery {
  /** The clinic; null for all clinics. */
  tenantId: string | null;
  since: Date;
  /** Exclusive. */
  until: Date;
}

const MAX_ENDPOINTS = 100;
const MAX_COUNTED = 10_000;

/** Endpoints with events that failed after six attempts or were skipped; those with the oldest first. */
export async function findUndelivered(
  em: EntityManager,
  wanted: UndeliveredQuery,
): Promise<UndeliveredEvents[]> {
  const endpoints = await tables(em)
    .selectFrom('webhook_endpoint')
    .innerJoin('tenant', 'tenant.id', 'webhook_endpoint.tenantId')
    .select([
      'webhook_endpoint.id as endpointId',
      'tenantId',
      'url',
      'webhook_endpoint.status',
      'pausedUntil',
    ])
    .select('tenant.status as clinicStatus')
    .where('deletedAt', 'is', null)
    .where((endpoint) => hasValues(endpoint, { tenantId: wanted.tenantId ?? undefined }))
    .where((endpoint) => {
      const own = endpoint.selectFrom('webhook_delivery').whereRef('endpointId', '=', 'webhook_endpoint.id');
      return endpoint.or([
        endpoint.exists(own.where('lastErrorClass', 'is not', null).where('status', '=', 'failed')),
        endpoint.exists(own.where('status', '=', 'skipped').where('updatedAt', '>=', wanted.since)),
      ]);
    })
    .orderBy('webhook_endpoint.id')
    .limit(MAX_ENDPOINTS)
    .execute();
  const found: UndeliveredEvents[] = [];
  for (const { clinicStatus, ...endpoint } of endpoints) {
    const { oldest, events } = await countMissed(em, { ...wanted, ...endpoint });
    const isClinicCanceled = clinicStatus === 'canceled';
    if (oldest) found.push({ ...endpoint, isClinicCanceled, events, oldest });
  }
  return found.toSorted((one, other) => one.oldest.getTime() - other.oldest.getTime());
}

const MISSED = z.object({ events: z.number(), oldest: z.date().nullable() });

function countMissed(
  em: EntityManager,
  { tenantId, endpointId, since, until }: { tenantId: string; endpointId: string; since: Date; until: Date },
) {
  const scope = { tenantId, endpointId, since, until, include: 'missing' } as const;
  return onlyRow(em, MISSED)`
    SELECT count(*)::integer AS events, min(created_at) AS oldest
    FROM (${missedEvents(scope)} LIMIT ${MAX_COUNTED}) missed
  `;
}
