import { rowsOf, tables, type EntityManager, type RowOf } from '../connection/statements.ts';

export interface Move extends RowOf<'appointment', 'id' | 'status' | 'startsAt'> {
  /** Whether it took the place of one that had been settled by mistake, and not of one that was moved. */
  isReinstated: boolean;
}

/** A patient is moved a few times; somebody who moves one back and forth gets the moves around the one asked for. */
const MOST_MOVES_EACH_WAY = 100;

/** What the appointment was moved from and to, one after the other, itself included; the earliest first. */
export function findChainOfMoves(em: EntityManager, appointmentId: string) {
  return rowsOf<Move>(tables(em))`
    WITH RECURSIVE earlier AS (
      SELECT id, rescheduled_from_id, 0 AS place FROM appointment WHERE id = ${appointmentId}
      UNION ALL
      SELECT appointment.id, appointment.rescheduled_from_id, place - 1
      FROM earlier JOIN appointment ON appointment.id = earlier.rescheduled_from_id
      WHERE place > -${MOST_MOVES_EACH_WAY}::int
    ), later AS (
      SELECT id, rescheduled_to_id, 0 AS place FROM appointment WHERE id = ${appointmentId}
      UNION ALL
      SELECT appointment.id, appointment.rescheduled_to_id, place + 1
      FROM later JOIN appointment ON appointment.id = later.rescheduled_to_id
      WHERE place < ${MOST_MOVES_EACH_WAY}::int
    )
    SELECT id, status, starts_at, reinstated_at IS NOT NULL AS is_reinstated
    FROM (SELECT id, place FROM earlier UNION SELECT id, place FROM later) AS move
    JOIN appointment USING (id)
    ORDER BY place
  `;
}
