import { findVisitDetails, type VisitDetails } from '../../commands/self-service/visit-details.ts';
import { findAppointment } from '../../db/appointments/find-appointment.ts';
import { isOfAnotherPatient } from '../../db/appointments/changed-patient.ts';
import type { AppointmentRow } from '../../db/entities/appointment.entity.ts';
import type { TenantRow } from '../../db/entities/tenant.entity.ts';
import { findReach, type Reach } from '../../db/self-service/patient-emails.ts';
import type { Guest } from './guest.ts';

/**
 * The state of a patient's appointment. `open`: until it starts or the clinic leaves. `ended`: after its time, also if
 * it was cancelled.
 */
export type VisitState = 'open' | 'cancelled' | 'over' | 'ended';

export interface Visit extends VisitDetails {
  state: VisitState;
  /** Whether the patient gets mails about changes. */
  reach: Reach;
}

/** The most moves that are followed. */
const MAX_MOVES = 50;

/** The link's appointment or its replacement; null when there is none, or it now belongs to another patient. */
export async function findVisit(guest: Guest, appointmentId: string): Promise<Visit | null> {
  const { clinic, read, context } = guest;
  return read(async (em) => {
    const ids = [appointmentId];
    let appointment = await findAppointment(em, clinic.id, appointmentId);
    while (appointment?.rescheduledToId && ids.length <= MAX_MOVES) {
      ids.push(appointment.rescheduledToId);
      appointment = await findAppointment(em, clinic.id, appointment.rescheduledToId);
    }
    if (!appointment || (await isOfAnotherPatient(em, clinic.id, ids))) return null;
    return {
      ...(await findVisitDetails(em, appointment)),
      state: stateOf(appointment, clinic, context.now),
      reach: await findReach(em, clinic.id, appointment.id),
    };
  });
}

function stateOf({ status, startsAt, endsAt }: AppointmentRow, clinic: TenantRow, now: Date): VisitState {
  if (endsAt <= now) return 'ended';
  if (status === 'cancelled') return 'cancelled';
  const isOpen = status === 'confirmed' && startsAt > now && clinic.status !== 'canceled';
  return isOpen ? 'open' : 'over';
}
