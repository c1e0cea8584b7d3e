import type { FilterQuery, InferEntity } from '@mikro-orm/postgresql';
import type { Database } from '../../db/connection/open-database.ts';
import { openRows } from '../../db/encryption/field-seal.ts';
import { AppointmentEntity, type AppointmentRow } from '../../db/entities/appointment.entity.ts';
import { SEALED_FIELDS } from '../../domain/encryption/sealed-fields.ts';

/** Appointments with what is sealed of them, by their start; of those whose patient is called so, if one is named. */
export async function storedAppointments(
  database: Pick<Database, 'em'>,
  where: FilterQuery<InferEntity<typeof AppointmentEntity>>,
  patientName?: string,
): Promise<AppointmentRow[]> {
  const em = database.em();
  const stored = await em.find(AppointmentEntity, where, { orderBy: { startsAt: 'asc', createdAt: 'asc' } });
  const opened = await openRows(em, SEALED_FIELDS.appointment, stored);
  return opened.filter((row) => patientName === undefined || row.patientName === patientName);
}
