import { z } from 'zod';
import { firstIdAt } from '../../../domain/first-id.ts';
import type { EndpointAnswers } from '../../../domain/webhooks/endpoint-answers.ts';
import { TEST_EVENT_TYPE } from '../../../domain/webhooks/event-types.ts';
import { columnsOf } from '../../connection/columns.ts';
import { rowsOf, type EntityManager } from '../../connection/statements.ts';
import { listEndpoints } from './list-endpoints.ts';

const ATTEMPT = columnsOf('webhook_attempt', 'errorClass', 'tlsFault', 'responseStatus').shape;

const ANSWERS = columnsOf('webhook_endpoint', 'id', 'correctedAt').extend({
  attempts: z.number(),
  failures: z.number(),
  lastErrorClass: ATTEMPT.errorClass,
  lastTlsFault: ATTEMPT.tlsFault,
  lastResponseStatus: ATTEMPT.responseStatus,
  lastStartedAt: z.date(),
});

/** By the endpoint's id; endpoints without an attempt in the last day are missing. */
export type AnswersById = ReadonlyMap<string, EndpointAnswers>;

const DAY_MS = 86_400_000;
/** Attempts of the last day can belong to deliveries that are older, because a delivery takes most of a day. */
const DELIVERIES_SINCE_MS = 2 * DAY_MS;
/** Only the newest deliveries of each endpoint are counted, so that the cost is bounded. */
const MAX_DELIVERIES = 100;

/** The clinic's endpoints, oldest first, with how they answered. */
export async function findEndpointsWithAnswers(em: EntityManager, tenantId: string, now: Date) {
  const endpoints = await listEndpoints(em, tenantId);
  const ids = endpoints.map(({ id }) => id);
  return { endpoints, answers: await findAnswers(em, ids, now) };
}

/** How these endpoints answered in the last 24 hours. */
export async function findAnswers(
  em: EntityManager,
  endpointIds: readonly string[],
  now: Date,
): Promise<AnswersById> {
  if (endpointIds.length === 0) return new Map();
  const rows = await rowsOf(em, ANSWERS)`
    WITH attempt AS (
      SELECT
        endpoint.id, endpoint.corrected_at, attempt.error_class, attempt.tls_fault, attempt.response_status,
        attempt.started_at
      FROM webhook_endpoint endpoint
      CROSS JOIN LATERAL (
        SELECT id
        FROM webhook_delivery
        WHERE endpoint_id = endpoint.id
          AND tenant_id = endpoint.tenant_id
          AND event_type <> ${TEST_EVENT_TYPE}
          AND id >= ${firstIdAt(now, -DELIVERIES_SINCE_MS)}
        ORDER BY id DESC
        LIMIT ${MAX_DELIVERIES}
      ) newest
      JOIN webhook_attempt attempt ON attempt.delivery_id = newest.id
      WHERE endpoint.id = ANY(${[...endpointIds]}::uuid[])
        AND attempt.started_at >= ${new Date(now.getTime() - DAY_MS)}::timestamptz
    )
    SELECT DISTINCT ON (id)
      id, corrected_at, error_class AS last_error_class, tls_fault AS last_tls_fault, response_status AS last_response_status,
      started_at AS last_started_at,
      (count(*) OVER of_endpoint)::integer AS attempts,
      (count(error_class) OVER of_endpoint)::integer AS failures
    FROM attempt
    WINDOW of_endpoint AS (PARTITION BY id)
    ORDER BY id, started_at DESC
  `;
  return new Map(rows.map(({ id, ...answers }) => [id, answers]));
}
