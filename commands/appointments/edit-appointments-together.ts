import { findAppointments, type FoundAppointment } from '../../db/appointments/find-appointment.ts';
import { updateAppointments, type AppointmentUpdate } from '../../db/appointments/update-appointments.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';
import { changedFields } from '../changed-fields.ts';
import type { CommandContext } from '../command-context.ts';
import { stampedEvent } from '../webhooks/record-event.ts';
import { editEvent, type EditableFields } from './edit-appointment.ts';
import type { AppointmentToChange } from './lock-for-change.ts';

/** A change that cannot conflict with other appointments. */
export interface Edit extends AppointmentToChange, Pick<EditableFields, 'patientNotes' | 'metadata'> {
  context: CommandContext;
}

/**
 * Edits appointments, which may belong to several clinics, like `changeAppointment`, but with two statements that are
 * transactions of their own. The result is null for an appointment that must be changed individually: it is unknown,
 * has another version, or is being changed by someone else.
 */
export async function editAppointments(em: EntityManager, edits: readonly Edit[]) {
  const sought = edits.map(({ tenantId, appointmentId: id }) => ({ tenantId, id }));
  const found = await findAppointments(em, sought);
  const planned = new Set<string>();
  const plans = edits.map((edit, at) => planEdit(edit, found[at] ?? null, planned));
  const updates = plans.flatMap((plan) => (plan && 'update' in plan ? [plan.update] : []));
  const rows = updates.length > 0 ? await updateAppointments(em, updates) : [];
  const updated = new Map(rows.map((row) => [row.id, row]));
  return plans.map((plan) =>
    plan && 'update' in plan ? (updated.get(plan.update.appointment.id) ?? null) : (plan?.same ?? null),
  );
}

/** @param planned the IDs planned so far, because one statement can write each row only once */
function planEdit(
  edit: Edit,
  found: FoundAppointment | null,
  planned: Set<string>,
): { update: AppointmentUpdate } | { same: AppointmentRow } | null {
  if (!found || planned.has(found.appointment.id)) return null;
  const { appointment, tenantName } = found;
  const { patientNotes, metadata, expectedVersion = appointment.version } = edit;
  if (expectedVersion !== appointment.version) return null;
  if (appointment.status === 'rescheduled' && edit.mayRead === false) return null;
  const changes = changedFields(appointment, { patientNotes, metadata });
  if (Object.keys(changes).length === 0) return { same: appointment };
  planned.add(appointment.id);
  const changed = { ...appointment, ...changes, version: appointment.version + 1 };
  const event = stampedEvent(edit.context, (instant) => editEvent(changed, tenantName, changes, instant));
  return { update: { appointment: { ...appointment, ...changes }, event } };
}
