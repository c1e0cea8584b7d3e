import { z } from 'zod';
import { acknowledgedColumns, type Acknowledgement } from '../../domain/appointments/acknowledgement.ts';
import { onlyRow, type EntityManager } from '../connection/statements.ts';
import { sealRow } from '../encryption/field-seal.ts';
import { AppointmentEntity, type StoredAppointment } from '../entities/appointment.entity.ts';
import type { SoughtAppointment } from './find-appointment.ts';

/** Writes an acknowledgement of a locked appointment, which keeps its version. */
export async function writeAcknowledgement(
  em: EntityManager,
  { tenantId, id, version: latest }: SoughtAppointment & Pick<StoredAppointment, 'version'>,
  acknowledgement: Acknowledgement & { by: string },
): Promise<void> {
  const { version, state, by: acknowledgedBy } = acknowledgement;
  const isWritten = state === 'written' && version === latest;
  const columns = {
    ...acknowledgedColumns(acknowledgement),
    acknowledgedBy,
    ...(isWritten && { unacknowledgedVersion: null }),
    tenantId,
    id,
  };
  const sealed = await sealRow<
    Partial<StoredAppointment> & SoughtAppointment & { acknowledgedBy: string; unacknowledgedVersion?: null }
  >(em, 'appointment', columns);
  await em.nativeUpdate(AppointmentEntity, { tenantId, id }, sealed);
}

const FACTS = z.object({
  /** The actor who acknowledged last. */
  by: z.string().nullable(),
  /** The clinic was told that the latest version is not written. */
  isReported: z.boolean(),
  /** How long it waits for an acknowledgement; null when it does not wait. */
  withinMinutes: z.number().nullable(),
});
export type AcknowledgementFacts = z.infer<typeof FACTS>;

/** What only the page of an appointment shows about its acknowledgement. */
export function findAcknowledgementFacts(em: EntityManager, { tenantId, id }: SoughtAppointment) {
  return onlyRow(em, FACTS)`
    SELECT
      acknowledged_by AS by,
      unacknowledged_version IS NOT DISTINCT FROM version AS is_reported,
      (SELECT within_minutes FROM acknowledgement_watch WHERE tenant_id = ${tenantId}) AS within_minutes
    FROM appointment
    WHERE tenant_id = ${tenantId}
      AND id = ${id}
  `;
}
