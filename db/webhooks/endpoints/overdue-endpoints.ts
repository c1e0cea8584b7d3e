import { sql } from 'kysely';
import type { Overdue } from '../../../domain/diagnosis/overdue.ts';
import type { EntityManager } from '../../connection/open-database.ts';
import { A_WHILE_AGO, findOverdue } from '../../diagnosis/find-overdue.ts';

/** Failing endpoints that should have been disabled; null without any. */
export function findOverdueDeactivations(em: EntityManager): Promise<Overdue | null> {
  return findOverdue(
    em,
    sql`
      SELECT id, deactivate_at AS due_at, 'endpoint:' || id AS workflow_id
      FROM webhook_endpoint
      WHERE status = 'failing' AND deactivate_at < ${A_WHILE_AGO}
    `,
  );
}

/** Notifications with an overdue mail; null without any. */
export function findOverdueMails(em: EntityManager): Promise<Overdue | null> {
  return findOverdue(
    em,
    sql`
      SELECT id, created_at AS due_at, 'endpoint:' || endpoint_id AS workflow_id
      FROM notification
      WHERE mail = 'due' AND created_at < ${A_WHILE_AGO}
    `,
  );
}
