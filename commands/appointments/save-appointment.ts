import { isExternalIdTaken } from '../../db/appointments/find-appointment.ts';
import type { LockedAppointment } from '../../db/appointments/lock-appointment.ts';
import { violates } from '../../db/connection/unique-violation.ts';
import { sealRow } from '../../db/encryption/field-seal.ts';
import {
  AppointmentEntity,
  type AppointmentRow,
  type StoredAppointment,
} from '../../db/entities/appointment.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { externalIdConflict } from './booking-conflict.ts';

/**
 * Writes `edit` over a locked appointment and raises its version. `updatedAt` never repeats or goes back for a row,
 * because receivers order by it: `now` of the lock is later than it.
 * @throws ServiceError `external_id_conflict` when the new external id belongs to another one
 */
export async function saveAppointment(
  em: EntityManager,
  { appointment, now }: LockedAppointment,
  edit: Partial<AppointmentRow>,
): Promise<AppointmentRow> {
  const { tenantId, id, version } = appointment;
  if (edit.externalId && (await isExternalIdTaken(em, tenantId, edit.externalId, id)))
    throw externalIdConflict();
  const changes = { ...edit, version: version + 1, updatedAt: now };
  try {
    const sealed = await sealRow<Partial<StoredAppointment> & { tenantId: string }>(em, 'appointment', {
      ...changes,
      tenantId,
      id,
    });
    await em.nativeUpdate(AppointmentEntity, { tenantId, id }, sealed);
  } catch (error) {
    if (violates(error, 'appointment_external_id')) throw externalIdConflict();
    throw error;
  }
  return { ...appointment, ...changes };
}
