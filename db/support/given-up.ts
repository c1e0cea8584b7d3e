import { sql } from 'kysely';
import type { EndpointStatus } from '../../domain/webhooks/endpoint-status.ts';
import type { EntityManager } from '../connection/open-database.ts';
import { missedEvents } from '../webhooks/endpoints/endpoint-missed-events.ts';

export interface GivenUp {
  endpointId: string;
  tenantId: string;
  url: string;
  status: EndpointStatus;
  /** Events that never reached it and can be sent again, counted up to `MOST_COUNTED`. */
  events: number;
  oldest: Date;
}

export interface WantedGivenUp {
  /** Null: of all clinics. */
  tenantId: string | null;
  since: Date;
  /** Exclusive. */
  until: Date;
}

const MOST_ENDPOINTS = 100;
const MOST_COUNTED = 10_000;

/** The endpoints that events never reached, after six attempts or while they were off; those with the oldest first. */
export async function findGivenUp(em: EntityManager, wanted: WantedGivenUp): Promise<GivenUp[]> {
  const { rows: endpoints } = await sql<Omit<GivenUp, 'events' | 'oldest'>>`
    SELECT id AS "endpointId", tenant_id AS "tenantId", url, status
    FROM webhook_endpoint
    WHERE deleted_at IS NULL
      AND ${wanted.tenantId === null ? sql`true` : sql`tenant_id = ${wanted.tenantId}`}
      AND (
        EXISTS (
          SELECT FROM webhook_delivery
          WHERE endpoint_id = webhook_endpoint.id AND last_error_class IS NOT NULL AND status = 'failed'
        )
        OR EXISTS (
          SELECT FROM webhook_delivery
          WHERE endpoint_id = webhook_endpoint.id AND status = 'skipped' AND updated_at >= ${wanted.since}
        )
      )
    ORDER BY id
    LIMIT ${MOST_ENDPOINTS}
  `.execute(em.getKysely());
  const found: GivenUp[] = [];
  for (const endpoint of endpoints) {
    const missed = await countMissed(em, { ...wanted, ...endpoint });
    if (missed.oldest) found.push({ ...endpoint, ...missed, oldest: missed.oldest });
  }
  return found.toSorted((one, other) => one.oldest.getTime() - other.oldest.getTime());
}

async function countMissed(
  em: EntityManager,
  { tenantId, endpointId, since, until }: { tenantId: string; endpointId: string; since: Date; until: Date },
): Promise<{ events: number; oldest: Date | null }> {
  const scope = { tenantId, endpointId, since, until, include: 'missing' } as const;
  const { rows } = await sql<{ events: number; oldest: string | null }>`
    SELECT count(*)::integer AS events, min(created_at) AS oldest
    FROM (${missedEvents(scope)} LIMIT ${MOST_COUNTED}) missed
  `.execute(em.getKysely());
  const { events = 0, oldest = null } = rows[0] ?? {};
  return { events, oldest: oldest === null ? null : new Date(oldest) };
}
