import type { LockedAppointment } from '../../db/appointments/lock-appointment.ts';
import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { appointmentInEvent } from './appointment-event.ts';
import { fieldNames, type EditableFields } from './appointment-fields.ts';
import type { CommandContext } from '../command-context.ts';
import { saveAppointment } from './save-appointment.ts';
import { recordEvent } from '../webhooks/record-event.ts';

/** Notes, metadata and external id, with `appointment.updated`; nothing happens when nothing differs. */
export async function editAppointment(
  em: EntityManager,
  locked: LockedAppointment,
  edit: EditableFields,
  context: CommandContext,
): Promise<AppointmentRow> {
  const names = fieldNames(edit);
  if (names.length === 0) return locked.appointment;
  const changed = await saveAppointment(em, locked, edit);
  await recordEvent(
    em,
    {
      tenant: { id: changed.tenantId, name: locked.tenantName },
      type: 'appointment.updated',
      data: {
        appointment: { ...appointmentInEvent(changed), ...editedValues(changed, names) },
        changes: names,
      },
      appointmentId: changed.id,
      changes: [{ appointmentId: changed.id, kind: 'updated', changes: { fields: names } }],
    },
    { ...context, now: locked.now },
  );
  return changed;
}

/** Events show notes and metadata only when they changed. */
function editedValues(appointment: AppointmentRow, names: readonly string[]) {
  const { patientNotes, metadata, externalId } = appointment;
  return Object.fromEntries(
    Object.entries({ patientNotes, metadata, externalId }).filter(([name]) => names.includes(name)),
  );
}
