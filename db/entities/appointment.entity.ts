import type { Opened, Sealed } from '../../domain/encryption/sealed-value.ts';
import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import type { AcknowledgementState } from '../../domain/appointments/acknowledgement.ts';
import type {
  AppointmentSource,
  AppointmentStatus,
  CancellationReason,
} from '../../domain/appointments/appointment-status.ts';

export const AppointmentEntity = defineEntity({
  name: 'Appointment',
  tableName: 'appointment',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    professionalId: p.uuid(),
    serviceTypeId: p.uuid().strictNullable(),
    /** Null after the patient was erased. */
    patientName: p.text().$type<Sealed<string>>().strictNullable(),
    /** A hash by which an encrypted name is found: domain/patients/name-hashes.ts */
    nameHash: p.text().strictNullable().lazy(),
    nameTokens: p.text().columnType('bigint[]').strictNullable().lazy(),
    patientPhoneHash: p.text(),
    /** The patient's id in the clinic's other system. */
    patientExternalId: p.text().strictNullable(),
    startsAt: p.datetime(3),
    endsAt: p.datetime(3),
    blockFrom: p.datetime(3),
    blockUntil: p.datetime(3),
    blocks: p.boolean().default(true),
    /** Whether it was booked over others on purpose. */
    overlap: p.boolean().default(false),
    /** Like `blocks`, for an appointment that may overlap others. */
    blocksOver: p.boolean().default(false),
    /** Whether the end was given instead of computed from the service's duration. */
    ownLength: p.boolean().default(false),
    status: p.text().$type<AppointmentStatus>().default('confirmed'),
    source: p.text().$type<AppointmentSource>(),
    patientNotes: p.text().$type<Sealed<string>>().strictNullable(),
    metadata: p.json<Sealed<Record<string, unknown>>>().strictNullable(),
    externalId: p.text().strictNullable(),
    cancellationReason: p.text().$type<CancellationReason>().strictNullable(),
    checkedInAt: p.datetime(3).strictNullable(),
    /** When this appointment replaced one with a wrong final status. */
    reinstatedAt: p.datetime(3).strictNullable(),
    /** The call in which it was booked or moved. */
    callId: p.uuid().strictNullable(),
    rescheduledToId: p.uuid().strictNullable(),
    rescheduledFromId: p.uuid().strictNullable(),
    version: p.integer().default(1),
    acknowledgedVersion: p.integer().strictNullable(),
    acknowledgedState: p.text().$type<AcknowledgementState>().strictNullable(),
    acknowledgedAt: p.datetime(3).strictNullable(),
    refusalReason: p.text().$type<Sealed<string>>().strictNullable(),
    /** The version that was reported as not written by the clinic's other system, until it is written. */
    unacknowledgedVersion: p.integer().strictNullable().lazy(),
    /** The latest version that an import has written. */
    importedVersion: p.integer().strictNullable().lazy(),
    /** The actor who acknowledged, as the timeline names them. */
    acknowledgedBy: p.text().strictNullable().lazy(),
    /** When the patient said that they will come. */
    patientConfirmedAt: p.datetime(3).strictNullable(),
    /** The last reminder that was sent, by its hours before the start. */
    remindedHoursBefore: p.smallint().strictNullable().lazy(),
    createdAt: p.datetime(3).defaultRaw('now()'),
    updatedAt: p.datetime(3).defaultRaw('now()'),
  },
});
/** As it is stored. */
export type StoredAppointment = Omit<InferEntity<typeof AppointmentEntity>, (typeof FOR_STATEMENTS)[number]>;
/** Only single statements need these; a statement that writes whole rows leaves them as they are. */
export const KEPT_BY_STATEMENTS = [
  'unacknowledgedVersion',
  'importedVersion',
  'acknowledgedBy',
  'remindedHoursBefore',
] as const;
/** Only single statements need these. */
export const FOR_STATEMENTS = ['nameHash', 'nameTokens', ...KEPT_BY_STATEMENTS] as const;
/** What others say of an appointment later, and a new one does not have. */
export const SAID_LATER = [
  'patientConfirmedAt',
  'acknowledgedVersion',
  'acknowledgedState',
  'acknowledgedAt',
  'refusalReason',
] as const;
export type AppointmentRow = Opened<StoredAppointment>;
