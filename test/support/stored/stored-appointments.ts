import type { FilterQuery, InferEntity } from '@mikro-orm/postgresql';
import { uuidv7 } from 'uuidv7';
import type { Database } from '../../../db/connection/open-database.ts';
import { openRows, sealRows } from '../../../db/encryption/field-seal.ts';
import {
  AppointmentEntity,
  type AppointmentRow,
  type StoredAppointment,
} from '../../../db/entities/appointment.entity.ts';
import type { TestClinic } from '../clinic.ts';

/** Appointments with decrypted fields, by start; only those of a patient with this name, if given. */
export async function storedAppointments(
  database: Pick<Database, 'em'>,
  where: FilterQuery<InferEntity<typeof AppointmentEntity>>,
  patientName?: string,
): Promise<AppointmentRow[]> {
  const em = database.em();
  const stored = await em.find(AppointmentEntity, where, { orderBy: { startsAt: 'asc', createdAt: 'asc' } });
  const opened = await openRows(em, 'appointment', stored);
  return opened.filter((row) => patientName === undefined || row.patientName === patientName);
}

/** The required values of an appointment; its slot equals its length, the rest are the table's defaults. */
export type AppointmentToStore = Pick<AppointmentRow, 'patientName' | 'startsAt' | 'endsAt'> &
  Partial<AppointmentRow>;

type Stored = Partial<StoredAppointment> &
  Pick<
    StoredAppointment,
    | 'id'
    | 'tenantId'
    | 'professionalId'
    | 'patientName'
    | 'patientPhoneHash'
    | 'source'
    | 'startsAt'
    | 'endsAt'
    | 'blockFrom'
    | 'blockUntil'
  >;

const A_STATEMENT = 1000;

/** Inserts appointments of a clinic without events, at any past time; returns their ids. */
export async function storeAppointments(
  database: Pick<Database, 'em'>,
  { tenantId, professionalIds: [first = ''] }: Pick<TestClinic, 'tenantId' | 'professionalIds'>,
  appointments: readonly AppointmentToStore[],
): Promise<string[]> {
  const em = database.em();
  const rows = appointments.map((appointment) => ({
    id: uuidv7(),
    tenantId,
    professionalId: first,
    patientPhoneHash: 'a'.repeat(64),
    source: 'manual' as const,
    blockFrom: appointment.startsAt,
    blockUntil: appointment.endsAt,
    ...appointment,
  }));
  const sealed = await sealRows<Stored>(em, 'appointment', rows);
  for (let at = 0; at < sealed.length; at += A_STATEMENT)
    await em.insertMany(AppointmentEntity, sealed.slice(at, at + A_STATEMENT));
  return rows.map(({ id }) => id);
}
