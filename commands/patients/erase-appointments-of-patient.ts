import { lockAppointment } from '../../db/appointments/lock-appointment.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import {
  eraseAnswers,
  findAppointmentsOfPatient,
  type Patient,
} from '../../db/patients/appointments-of-patient.ts';
import { ERASED_APPOINTMENT } from '../../db/patients/erased-appointment.ts';
import { eraseFromEvents, findEventsOfAppointment } from '../../db/patients/events-of-patient.ts';
import { saveAppointment } from '../appointments/edit-appointment.ts';
import type { Erasure } from './erase-patient.ts';
import { forgetKeptAnswersOf } from './forget-kept-answers.ts';

const PAGE = 1000;

/** Erases who had the appointments, what was noted and answered; returns how much there was. */
export async function eraseAppointmentsOfPatient(erasure: Erasure, patient: Patient) {
  const { database } = erasure;
  const { tenantId } = patient;
  const total = { count: 0, events: 0, npsResponses: 0, triageForms: 0, keptAnswers: 0 };
  for (;;) {
    const ids = await findAppointmentsOfPatient(database.em(), patient, PAGE);
    if (ids.length === 0) return total;
    total.keptAnswers += await forgetKeptAnswersOf(erasure, tenantId, new Set(ids));
    for (const id of ids) {
      const erased = await database.em().transactional((em) => eraseOne(em, erasure, tenantId, id));
      total.count += 1;
      total.events += erased.events;
      total.npsResponses += erased.npsResponses;
      total.triageForms += erased.triageForms;
    }
  }
}

async function eraseOne(em: EntityManager, { pseudonym }: Erasure, tenantId: string, id: string) {
  const locked = await lockAppointment(em, tenantId, id);
  if (!locked) throw new Error('an appointment is gone, and appointments never go');
  const events = await findEventsOfAppointment(em, tenantId, id);
  await eraseFromEvents(em, events, pseudonym);
  const answers = await eraseAnswers(em, tenantId, id);
  await saveAppointment(em, locked, { ...ERASED_APPOINTMENT, patientPhoneHash: pseudonym });
  return { events: events.length, ...answers };
}
