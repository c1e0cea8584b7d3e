import type { LockedAppointment } from '../../db/appointments/lock-appointment.ts';
import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { appointmentInEvent } from './appointment-event.ts';
import type { CommandContext } from '../command-context.ts';
import { saveAppointment } from './save-appointment.ts';
import { recordEvent } from '../webhooks/record-event.ts';

/** What a clinic may edit in every status; null clears, absence keeps. */
export type EditableFields = Partial<Pick<AppointmentRow, 'patientNotes' | 'metadata' | 'externalId'>>;

/** Notes, metadata and external id, with `appointment.updated`; nothing happens when nothing differs. */
export async function editAppointment(
  em: EntityManager,
  locked: LockedAppointment,
  edit: EditableFields,
  context: CommandContext,
): Promise<AppointmentRow> {
  const names = Object.keys(edit);
  if (names.length === 0) return locked.appointment;
  const changed = await saveAppointment(em, locked, edit);
  await recordEvent(
    em,
    {
      tenant: { id: changed.tenantId, name: locked.tenantName },
      type: 'appointment.updated',
      // Events show notes and metadata only when they changed.
      data: { appointment: { ...appointmentInEvent(changed), ...edit }, changes: names },
      appointmentId: changed.id,
      changes: [{ appointmentId: changed.id, kind: 'updated', changes: { fields: names } }],
    },
    { ...context, now: locked.now },
  );
  return changed;
}
