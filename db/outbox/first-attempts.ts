import { sql, type RawBuilder } from 'kysely';
import { ATTEMPTS_AT_ONCE } from '../../domain/webhooks/delivery-share.ts';
import type { EntityManager } from '../connection/open-database.ts';

const { perEndpoint, perClinic } = ATTEMPTS_AT_ONCE;

/** From the claim over the start and the ten seconds of an attempt to its record, with room for a slow engine. */
const HELD_SECONDS = 30;
/** Leases of deliveries that were never attempted are swept away some time after they have ended. */
const SWEPT_AFTER_SECONDS = 60;

/**
 * Parts of a statement that count the attempts under way, for the conditions below. Retries that are due are being made or
 * wait for it: they go before first attempts, so that few workflows wait. One that is long overdue has lost its workflow,
 * and is left to reconciliation.
 */
export function attemptsUnderWay(): RawBuilder<unknown> {
  return sql`
    begun AS (
      SELECT clinic_id, endpoint_id FROM first_attempt WHERE held_until > statement_timestamp()
    ),
    of_endpoint AS (
      SELECT endpoint_id, count(*)::integer AS attempts
      FROM (
        SELECT endpoint_id FROM begun
        UNION ALL
        SELECT endpoint_id
        FROM webhook_delivery
        WHERE status = 'retrying'
          AND next_attempt_at BETWEEN statement_timestamp() - interval '15 minutes' AND statement_timestamp()
      ) attempt
      GROUP BY endpoint_id
    ),
    of_clinic AS (
      SELECT clinic_id, count(*)::integer AS attempts FROM begun GROUP BY clinic_id
    )
  `;
}

/** How many first attempts an endpoint may begin now, as far as its own share goes. */
export function freePlaces(endpointId: RawBuilder<unknown>): RawBuilder<number> {
  return sql`(
    ${perEndpoint}::integer
    - coalesce((SELECT of_endpoint.attempts FROM of_endpoint WHERE of_endpoint.endpoint_id = ${endpointId}), 0)
  )`;
}

/** How many first attempts all endpoints of a clinic together may begin now. */
export function freePlacesOfClinic(clinicId: RawBuilder<unknown>): RawBuilder<number> {
  return sql`(
    ${perClinic}::integer
    - coalesce((SELECT of_clinic.attempts FROM of_clinic WHERE of_clinic.clinic_id = ${clinicId}), 0)
  )`;
}

/** A condition: no attempt is under way that an endpoint's next first attempt might have to wait for. */
export function hasWholeShare(clinicId: RawBuilder<unknown>, endpointId: RawBuilder<unknown>) {
  return sql`least(${freePlaces(endpointId)}, ${freePlacesOfClinic(clinicId)}) >= ${perEndpoint}::integer`;
}

/** Parts of a statement that hold a place for each first attempt among the outbox rows of `claimed`. */
export function holdPlaces(): RawBuilder<unknown> {
  return sql`
    held AS (
      INSERT INTO first_attempt (delivery_id, clinic_id, endpoint_id, held_until)
      SELECT DISTINCT
        (message ->> 'deliveryId')::uuid, clinic_id, endpoint_id,
        statement_timestamp() + make_interval(secs => ${HELD_SECONDS}::integer)
      FROM claimed
      WHERE endpoint_id IS NOT NULL
      ON CONFLICT (delivery_id) DO UPDATE SET held_until = excluded.held_until
    ),
    swept AS (
      DELETE FROM first_attempt
      WHERE delivery_id IN (
        SELECT ended.delivery_id
        FROM first_attempt ended
        WHERE ended.held_until < statement_timestamp() - make_interval(secs => ${SWEPT_AFTER_SECONDS}::integer)
          AND ended.delivery_id NOT IN (SELECT (message ->> 'deliveryId')::uuid FROM claimed WHERE endpoint_id IS NOT NULL)
        FOR UPDATE SKIP LOCKED
      )
    )
  `;
}

/** Gives the place of a first attempt back that will not be made. */
export async function releasePlace(
  em: EntityManager,
  { clinicId, deliveryId }: { clinicId: string; deliveryId: string },
): Promise<void> {
  await sql`
    DELETE FROM first_attempt WHERE delivery_id = ${deliveryId} AND clinic_id = ${clinicId}
  `.execute(em.getKysely());
}
