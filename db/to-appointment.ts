import { sql } from 'kysely';
import type { AppointmentRow } from './entities/appointment.entity.ts';
import type { Sql } from './open-database.ts';

/** An appointment as the driver returns it: columns by name, instants as text. */
export type RawAppointment = Record<Column, unknown>;

/** Column by property. */
const COLUMNS = {
  id: 'id',
  tenantId: 'tenant_id',
  professionalId: 'professional_id',
  serviceTypeId: 'service_type_id',
  patientName: 'patient_name',
  patientPhoneHash: 'patient_phone_hash',
  startsAt: 'starts_at',
  endsAt: 'ends_at',
  blockFrom: 'block_from',
  blockUntil: 'block_until',
  blocks: 'blocks',
  status: 'status',
  source: 'source',
  patientNotes: 'patient_notes',
  metadata: 'metadata',
  externalId: 'external_id',
  cancellationReason: 'cancellation_reason',
  checkedInAt: 'checked_in_at',
  rescheduledToId: 'rescheduled_to_id',
  rescheduledFromId: 'rescheduled_from_id',
  version: 'version',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
} as const satisfies Record<Extract<keyof AppointmentRow, string>, string>;

type Column = (typeof COLUMNS)[keyof typeof COLUMNS];

const COLUMN_LIST = Object.entries(COLUMNS);

/** Every column by name: a prepared statement must not change its result when a migration adds one. */
export const APPOINTMENT_COLUMNS = sql.join(Object.values(COLUMNS).map((column) => sql.ref(column)));

const INSTANTS: ReadonlySet<string> = new Set([
  'starts_at',
  'ends_at',
  'block_from',
  'block_until',
  'checked_in_at',
  'created_at',
  'updated_at',
]);

/**
 * A plain row without a place in the unit of work: `EntityManager.map` takes 0.1 to 0.3 ms for each row, and a list has
 * up to a thousand.
 */
export function toAppointment(db: Sql, raw: RawAppointment): AppointmentRow {
  const platform = db.getPlatform();
  const read = (column: Column) => {
    const value = raw[column];
    return typeof value === 'string' && INSTANTS.has(column) ? platform.parseDate(value) : value;
  };
  return Object.fromEntries(
    COLUMN_LIST.map(([name, column]) => [name, read(column)]),
  ) as unknown as AppointmentRow;
}
