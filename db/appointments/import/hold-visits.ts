import { rowsOf, type EntityManager } from '../../connection/statements.ts';
import type { RawRow } from '../../connection/row-reader.ts';
import type { AppointmentRow } from '../../entities/appointment.entity.ts';
import { appointmentReader } from '../appointment-reader.ts';

export interface HeldVisit {
  appointment: AppointmentRow;
  /** The instant of a change: as of db/connection/locks/lock-with-clinic.ts */
  now: Date;
}

/**
 * The appointments of a clinic that bear these external ids, held until the transaction ends: of each id the current one, else
 * the one that was cancelled last. In one order for everybody, so that two imports wait instead of deadlocking.
 */
export async function holdVisits(em: EntityManager, tenantId: string, externalIds: readonly string[]) {
  const rows = await rowsOf<RawRow & { external_id: string; held_at: string }>(em)`
    SELECT
      ${appointmentReader.columns},
      greatest(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond') AS held_at
    FROM (
      SELECT *
      FROM appointment
      WHERE tenant_id = ${tenantId}
        AND status <> 'rescheduled'
        AND id IN (
          SELECT DISTINCT ON (external_id) id
          FROM appointment
          WHERE tenant_id = ${tenantId}
            AND external_id = ANY(${[...externalIds]}::text[])
            AND status <> 'rescheduled'
          ORDER BY external_id, status = 'cancelled', updated_at DESC, id DESC
        )
      ORDER BY id
      FOR NO KEY UPDATE
    ) held
  `;
  const held = new Map<string, HeldVisit>();
  for (const { held_at: heldAt, ...row } of rows) {
    const now = em.getPlatform().parseDate(heldAt);
    held.set(row.external_id, { appointment: await appointmentReader.read(em, row), now });
  }
  return held;
}
