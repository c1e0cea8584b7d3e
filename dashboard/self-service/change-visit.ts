import { changeAppointment } from '../../commands/appointments/change-appointment.ts';
import { confirmByPatient } from '../../commands/self-service/confirm-by-patient.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { isCorrectable, requireOffered, timeField, type ChosenTime } from '../appointments/time-choice.ts';
import type { Reply } from '../serving/page-request.ts';
import { countChange } from './address-limit.ts';
import { bookableNow, type Guest } from './guest.ts';
import { timesToMove } from './offered-times.ts';
import type { Visit } from './visit.ts';
import { timesPage } from './visit-pages.ts';
import { SELF_SERVICE_WORDS } from './words.ts';

/** The patient says that they will come. Not counted for the address: it happens once for each link. */
export async function confirmVisit({ clinic, context, write }: Guest, { appointment }: Visit): Promise<void> {
  const wanted = { tenantId: clinic.id, appointmentId: appointment.id };
  await write((em) => confirmByPatient(em, wanted, context));
}

export async function cancelVisit(guest: Guest, visit: Visit): Promise<void> {
  await countChange(guest, () => change(guest, visit, { status: 'cancelled', reason: 'patient_requested' }));
}

/** Moves an appointment. Returns the id of the new one, or the page with the error. */
export async function moveVisit(
  guest: Guest,
  visit: Visit,
  address: string,
): Promise<{ movedTo: string } | Reply> {
  const chosen = timeField.safeParse(guest.form.get('time') ?? '');
  if (!chosen.success) return { to: `${address}/move` };
  try {
    const { replacement } = await countChange(guest, async () => {
      await requireFree(guest, visit, chosen.data);
      return change(guest, visit, { startsAt: chosen.data.startsAt });
    });
    return { movedTo: replacement?.id ?? visit.appointment.id };
  } catch (error) {
    if (!isCorrectable(error)) throw error;
    return timesPage(guest, visit, address, SELF_SERVICE_WORDS[guest.language].taken);
  }
}

/** @throws ServiceError `slot_conflict` for a time that is not offered now */
async function requireFree(guest: Guest, visit: Visit, chosen: ChosenTime): Promise<void> {
  const { startsAt } = chosen;
  const { from, until } = bookableNow(guest);
  if (startsAt < from || startsAt >= until)
    throw new ServiceError('slot_conflict', 'This time is not offered.');
  const range = { from: startsAt, until: new Date(startsAt.getTime() + 1) };
  requireOffered(await guest.read((em) => timesToMove(guest, visit)(em, range)), chosen);
}

type Change = Pick<Parameters<typeof changeAppointment>[1], 'status' | 'reason' | 'startsAt'>;

function change({ clinic, context, write }: Guest, { appointment }: Visit, wanted: Change) {
  const { id, version } = appointment;
  const input = {
    tenantId: clinic.id,
    appointmentId: id,
    expectedVersion: version,
    mayBackdate: false,
    ...wanted,
  };
  return write((em) => changeAppointment(em, input, { ...context, actor: 'patient' }));
}
