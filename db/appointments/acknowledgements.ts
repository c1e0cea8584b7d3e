import { acknowledgedColumns, type Acknowledgement } from '../../domain/appointments/acknowledgement.ts';
import type { EntityManager } from '../connection/open-database.ts';
import { sealRow } from '../encryption/field-seal.ts';
import { AppointmentEntity, type StoredAppointment } from '../entities/appointment.entity.ts';
import type { SoughtAppointment } from './find-appointment.ts';

/** Writes an acknowledgement of a locked appointment, which keeps its version. */
export async function writeAcknowledgement(
  em: EntityManager,
  { tenantId, id }: SoughtAppointment,
  acknowledgement: Acknowledgement,
): Promise<void> {
  const columns = { ...acknowledgedColumns(acknowledgement), tenantId, id };
  const sealed = await sealRow<Partial<StoredAppointment> & SoughtAppointment>(em, 'appointment', columns);
  await em.nativeUpdate(AppointmentEntity, { tenantId, id }, sealed);
  const { version, state } = acknowledgement;
  if (state === 'written')
    await em.nativeUpdate(
      AppointmentEntity,
      { tenantId, id, unacknowledgedVersion: version },
      { unacknowledgedVersion: null },
    );
}
