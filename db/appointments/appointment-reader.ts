import { columnOf, columnsExcept, columnsOf, listOf } from '../connection/columns.ts';
import type { EntityManager } from '../connection/open-database.ts';
import { sealRows } from '../encryption/field-seal.ts';
import {
  FOR_STATEMENTS,
  type AppointmentRow,
  type StoredAppointment,
} from '../entities/appointment.entity.ts';

/** As it is stored, without what only single statements need. */
export const STORED_APPOINTMENT = columnsOf(
  'appointment',
  ...columnsExcept('appointment', ...FOR_STATEMENTS),
);
export const APPOINTMENT_COLUMNS = listOf(STORED_APPOINTMENT);

const COLUMNS = columnsExcept('appointment').map((property) => [property, columnOf(property)] as const);

/** Rows with encrypted columns as JSON for `json_populate_recordset`. Null columns are left out. */
export async function toRecords(
  em: EntityManager,
  rows: readonly Partial<AppointmentRow>[],
): Promise<string> {
  const sealed: Partial<Record<string, unknown>>[] = await sealRows<StoredAppointment>(
    em,
    'appointment',
    rows as readonly AppointmentRow[],
  );
  return JSON.stringify(
    sealed.map((row) =>
      Object.fromEntries(COLUMNS.map(([name, column]) => [column, row[name] ?? undefined])),
    ),
  );
}
