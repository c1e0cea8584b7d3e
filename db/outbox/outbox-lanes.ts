import { sql, type RawBuilder } from 'kysely';
import { ATTEMPTS_AT_ONCE } from '../../domain/webhooks/delivery-share.ts';
import { attemptsUnderWay, freePlaces, freePlacesOfClinic } from './first-attempts.ts';

const { perEndpoint, perClinic } = ATTEMPTS_AT_ONCE;

/**
 * Parts of a statement that end in `due`: rows without a key. First attempts stay where they are while their endpoint or
 * clinic has its share under way. Clinics take turns, and within a clinic its endpoints, so that a single delivery is
 * not kept waiting by somebody else's ten thousand. The rows of nobody, such as retries asked for, take turns like a clinic.
 */
export function dueInTurn(limit: number): RawBuilder<unknown> {
  return sql`
    ${attemptsUnderWay()},
    ${waitingEndpoints()},
    share AS (
      SELECT endpoint.*, free.places, free.clinic_places
      FROM endpoint
      LEFT JOIN of_endpoint USING (endpoint_id)
      LEFT JOIN of_clinic USING (clinic_id)
      CROSS JOIN LATERAL (
        SELECT
          ${perEndpoint}::integer - coalesce(of_endpoint.attempts, 0) AS places,
          ${perClinic}::integer - coalesce(of_clinic.attempts, 0) AS clinic_places
      ) free
      WHERE free.places > 0 AND free.clinic_places > 0
    ),
    waiting AS (
      SELECT first.id, first.place, share.clinic_id, share.clinic_places
      FROM share
      CROSS JOIN LATERAL (${oldestOfShare(limit)}) first
      WHERE first.place <= share.places
      UNION ALL
      ${rowsOfNobody(limit)}
    ),
    turn AS (
      SELECT id, clinic_places, row_number() OVER (PARTITION BY clinic_id ORDER BY place, id) AS number
      FROM waiting
    ),
    due AS (
      SELECT candidate.id
      FROM turn
      JOIN outbox candidate USING (id)
      WHERE turn.number <= turn.clinic_places
        AND candidate.available_at <= clock_timestamp()
      ORDER BY turn.number, candidate.id
      LIMIT ${limit}
      FOR UPDATE OF candidate SKIP LOCKED
    )
  `;
}

/** The endpoints that have rows, by hops along the index: as fast with a million rows as with one each. */
function waitingEndpoints() {
  return sql`
    endpoint AS (
      (
        SELECT clinic_id, endpoint_id
        FROM outbox
        WHERE endpoint_id IS NOT NULL
        ORDER BY clinic_id, endpoint_id
        LIMIT 1
      )
      UNION ALL
      SELECT following.clinic_id, following.endpoint_id
      FROM endpoint
      CROSS JOIN LATERAL (
        SELECT clinic_id, endpoint_id
        FROM outbox
        WHERE endpoint_id IS NOT NULL
          AND (clinic_id, endpoint_id) > (endpoint.clinic_id, endpoint.endpoint_id)
        ORDER BY clinic_id, endpoint_id
        LIMIT 1
      ) following
    )
  `;
}

/** When there are more clinics than rows to claim, one row of each is enough. */
function oldestOfShare(limit: number) {
  return sql`
    SELECT oldest.id, row_number() OVER (ORDER BY oldest.id) AS place
    FROM (
      SELECT id
      FROM outbox
      WHERE clinic_id = share.clinic_id
        AND endpoint_id = share.endpoint_id
        AND ordering_key IS NULL
        AND available_at <= clock_timestamp()
      ORDER BY id
      LIMIT (
        SELECT CASE WHEN count(DISTINCT clinic_id) > ${limit}::integer THEN 1 ELSE ${perEndpoint}::integer END
        FROM share
      )
    ) oldest
  `;
}

function rowsOfNobody(limit: number) {
  return sql`
    SELECT nobodys.id, row_number() OVER (ORDER BY nobodys.id), NULL, ${limit}::integer
    FROM (
      SELECT id
      FROM outbox
      WHERE endpoint_id IS NULL
        AND ordering_key IS NULL
        AND available_at <= clock_timestamp()
      ORDER BY id
      LIMIT ${limit}
    ) nobodys
  `;
}

/** Parts of a statement that end in `due`: rows with a key, none of which has an earlier row. Replays keep to the shares too. */
export function dueInOrder(limit: number): RawBuilder<unknown> {
  return sql`
    ${attemptsUnderWay()},
    due AS (
      SELECT candidate.id
      FROM outbox candidate
      WHERE candidate.ordering_key IS NOT NULL
        AND candidate.available_at <= clock_timestamp()
        AND NOT EXISTS (
          SELECT FROM outbox earlier
          WHERE earlier.ordering_key = candidate.ordering_key
            AND earlier.id < candidate.id
        )
        AND CASE
          WHEN candidate.endpoint_id IS NULL THEN true
          ELSE least(${freePlaces(sql`candidate.endpoint_id`)}, ${freePlacesOfClinic(sql`candidate.clinic_id`)}) > 0
        END
      ORDER BY candidate.id
      LIMIT ${limit}
      FOR UPDATE SKIP LOCKED
    )
  `;
}
