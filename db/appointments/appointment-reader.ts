import type { EntityManager } from '../connection/open-database.ts';
import { inSlices } from '../connection/work-slices.ts';
import { rowReader, type RawRow } from '../connection/row-reader.ts';
import { openRow, sealRows } from '../encryption/field-seal.ts';
import {
  AppointmentEntity,
  type AppointmentRow,
  type StoredAppointment,
} from '../entities/appointment.entity.ts';

const stored = rowReader<StoredAppointment>(AppointmentEntity);

/** Reads and writes appointments; encrypted fields are decrypted and encrypted on the way. */
export const appointmentReader = {
  ...stored,
  /** @throws SecretUnreadableError */
  read: (em: EntityManager, raw: RawRow) => openRow(em, 'appointment', stored.read(em, raw)),
  /** @throws SecretUnreadableError */
  readAll(em: EntityManager, raws: readonly RawRow[]): Promise<AppointmentRow[]> {
    return inSlices(String(raws[0]?.['tenant_id']), raws, (raw) => appointmentReader.read(em, raw));
  },
  /** JSON for `json_populate_recordset`. Each row needs its clinic and id. */
  async toRecords(em: EntityManager, rows: readonly Partial<AppointmentRow>[]): Promise<string> {
    const given = await sealRows<StoredAppointment>(em, 'appointment', rows as readonly AppointmentRow[]);
    return JSON.stringify(given.map((row) => stored.toRecord(row)));
  },
};
