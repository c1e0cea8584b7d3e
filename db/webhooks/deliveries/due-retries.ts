import { rowsOf, tables, type EntityManager, type RowOf } from '../../connection/statements.ts';

export interface DueRetry extends RowOf<'webhook_delivery', 'workflowId'> {
  deliveryId: string;
}

/** So many of those that have waited longest may be next. */
const NEXT = 100;

/** Some of the retries of an endpoint that have waited longest: by chance, because other workers look for the next ones too. */
export function findDueRetries(
  em: EntityManager,
  { endpointId, except, limit }: { endpointId: string; except: readonly string[]; limit: number },
) {
  return rowsOf<DueRetry>(tables(em))`
    SELECT id AS delivery_id, workflow_id
    FROM (
      SELECT id, workflow_id
      FROM webhook_delivery
      WHERE endpoint_id = ${endpointId}
        AND status = 'retrying'
        AND next_attempt_at <= statement_timestamp()
        AND id <> ALL(${[...except]}::uuid[])
      ORDER BY next_attempt_at
      LIMIT ${NEXT}
    ) longest
    ORDER BY random()
    LIMIT ${limit}
  `;
}
