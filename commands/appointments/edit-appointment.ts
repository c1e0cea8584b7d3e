import { type LockedAppointment, isExternalIdTaken } from '../../db/appointments/find-appointment.ts';
import {
  AppointmentEntity,
  type AppointmentRow,
  type StoredAppointment,
} from '../../db/entities/appointment.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { appointmentInEvent } from './appointment-event.ts';
import type { CommandContext } from '../command-context.ts';
import { recordEvent, type NewEvent } from '../webhooks/record-event.ts';
import {
  appointmentFields,
  EDITABLE_FIELDS,
  saidName,
  type EditableField,
  type SaidField,
} from '../../domain/appointments/appointment-fields.schema.ts';
import { isShownInEvents } from '../../domain/webhooks/events/appointment-events.schema.ts';
import { changedFields } from '../changed-fields.ts';
import { violates } from '../../db/connection/database-errors.ts';
import { sealRow } from '../../db/encryption/field-seal.ts';
import { externalIdConflict } from './booking-conflict.ts';

/** Saves an edit with `appointment.updated`; does nothing when nothing changed. */
export async function editAppointment(
  em: EntityManager,
  locked: LockedAppointment,
  edit: AppointmentEdit,
  context: CommandContext,
): Promise<AppointmentRow> {
  if (Object.keys(edit).length === 0) return locked.appointment;
  const changed = await saveAppointment(em, locked, edit);
  const event = editEvent(changed, locked.tenantName, edit, changed.updatedAt.toISOString());
  await recordEvent(em, event, { ...context, now: locked.now });
  return changed;
}

/** @param changed the appointment after the edit @param updatedAt the time in the event's body */
export function editEvent(
  changed: AppointmentRow,
  tenantName: string,
  edit: AppointmentEdit,
  updatedAt: string,
): NewEvent {
  const fields = changedNames(edit);
  return {
    tenant: { id: changed.tenantId, name: tenantName },
    type: 'appointment.updated',
    data: {
      appointment: { ...appointmentInEvent(changed), updatedAt, ...shownWhenChanged(edit) },
      changes: fields.filter(isShownInEvents),
    },
    appointmentId: changed.id,
    changes: [{ appointmentId: changed.id, kind: 'updated', changes: { fields } }],
  };
}

/** Events show some fields, such as notes, only when they changed. */
function shownWhenChanged(edit: AppointmentEdit) {
  return Object.fromEntries(
    EDITABLE_FIELDS.flatMap((field) =>
      field in edit && !(field in appointmentFields) ? [[field, edit[field]]] : [],
    ),
  );
}

const OF_PATIENT = ['patientName', 'patientPhoneHash', 'patientExternalId'] as const;

/** Fields that a change can set besides status and start. Null clears a field; an absent field is kept. */
export type EditableFields = Partial<Pick<AppointmentRow, EditableField>>;
/** Fields that a request can change, and those that change with them. */
export type FieldEdit = EditableFields & Partial<Pick<AppointmentRow, 'patientConfirmedAt'>>;

/** Fields as above, and also service and end. An import can also correct details of the status. */
export type AppointmentEdit = FieldEdit &
  Partial<Pick<AppointmentRow, 'serviceTypeId' | 'endsAt' | 'blockUntil' | 'ownLength'>> &
  Partial<Pick<AppointmentRow, 'checkedInAt' | 'cancellationReason'>>;

/** The requested values that differ from the stored ones. Someone with another phone has not confirmed. */
export function wantedEdit(appointment: AppointmentRow, wanted: EditableFields): FieldEdit {
  const given = Object.fromEntries(EDITABLE_FIELDS.map((name) => [name, wanted[name]]));
  const edit: FieldEdit = changedFields(appointment, given);
  const isUnconfirmed = edit.patientPhoneHash !== undefined && appointment.patientConfirmedAt !== null;
  return isUnconfirmed ? { ...edit, patientConfirmedAt: null } : edit;
}

/** Whether the edit changes who the patient is, which only the current appointment allows. */
export function isCorrection(edit: EditableFields): boolean {
  return OF_PATIENT.some((field) => field in edit);
}

const UNNAMED = ['blockUntil', 'ownLength'] as const;
/** The name of a changed field: docs/events.md#appointments */
export type ChangedName =
  | SaidField
  | Exclude<keyof AppointmentEdit, (typeof UNNAMED)[number] | EditableField>;

/** The changed fields, by their names in the timeline. */
export function changedNames(edit: AppointmentEdit): ChangedName[] {
  const unnamed: readonly string[] = UNNAMED;
  return Object.keys(edit)
    .filter((field) => !unnamed.includes(field))
    .map((field) => saidName(field) as ChangedName);
}

/**
 * Applies `edit` to a locked appointment and increases its version. `updatedAt` always increases, because receivers use
 * it to order changes: the time of the lock is always later.
 * @throws ServiceError `external_id_conflict` when another appointment has the new external ID
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
