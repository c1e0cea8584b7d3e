import type { FilterQuery } from '@mikro-orm/postgresql';
import type { Database } from '../../db/connection/open-database.ts';
import { openRows } from '../../db/encryption/field-seal.ts';
import {
  AppointmentEntity,
  type AppointmentRow,
  type StoredAppointment,
} from '../../db/entities/appointment.entity.ts';
import { SEALED_FIELDS } from '../../domain/encryption/sealed-fields.ts';

/** Appointments with what is sealed of them, by their start. */
export async function storedAppointments(
  database: Pick<Database, 'em'>,
  where: FilterQuery<StoredAppointment>,
): Promise<AppointmentRow[]> {
  const em = database.em();
  const stored = await em.find(AppointmentEntity, where, { orderBy: { startsAt: 'asc' } });
  return openRows(em, SEALED_FIELDS.appointment, stored);
}
