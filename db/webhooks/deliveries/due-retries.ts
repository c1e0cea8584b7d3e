import { sql } from 'kysely';
import type { EntityManager } from '../../connection/open-database.ts';

export interface DueRetry {
  deliveryId: string;
  workflowId: string;
}

/** So many of those that have waited longest may be next. */
const NEXT = 100;

/** Some of the retries of an endpoint that have waited longest: by chance, because other workers look for the next ones too. */
export async function findDueRetries(
  em: EntityManager,
  { endpointId, except, limit }: { endpointId: string; except: readonly string[]; limit: number },
): Promise<DueRetry[]> {
  const { rows } = await sql<DueRetry>`
    SELECT id AS "deliveryId", workflow_id AS "workflowId"
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
  `.execute(em.getKysely());
  return rows;
}
