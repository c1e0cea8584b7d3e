import { sql } from 'kysely';
import { OVERDUE_AFTER_SECONDS, type Overdue } from '../../domain/diagnosis/overdue.ts';
import type { EntityManager } from '../connection/open-database.ts';
import { AWAITED_FROM } from './awaited-from.ts';
import { A_WHILE_AGO, findOverdue } from '../diagnosis/find-overdue.ts';

/** Confirmed appointments that nobody has marked as no-shows, though they should be; null without any. */
export function findOverdueNoShows(em: EntityManager, graceSeconds: number): Promise<Overdue | null> {
  return findOverdue(
    em,
    sql`
      SELECT id, ${AWAITED_FROM} + make_interval(secs => ${graceSeconds}) AS due_at, 'appointment:' || id AS workflow_id
      FROM appointment
      WHERE status = 'confirmed'
        AND starts_at < statement_timestamp() - make_interval(secs => ${graceSeconds + OVERDUE_AFTER_SECONDS})
        AND ${AWAITED_FROM} < statement_timestamp() - make_interval(secs => ${graceSeconds + OVERDUE_AFTER_SECONDS})
        AND created_at < ${A_WHILE_AGO}
    `,
  );
}
