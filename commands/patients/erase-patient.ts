import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { lockAppointment } from '../../db/appointments/find-appointment.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import {
  eraseAnswers,
  findAppointmentsOfPatient,
  findPhonesOfPatient,
  findVisitsOfPatient,
  type Patient,
} from '../../db/patients/appointments-of-patient.ts';
import { countCallsOfPhones } from '../../db/patients/calls-of-patient.ts';
import { AuditEventEntity } from '../../db/entities/audit-event.entity.ts';
import { ERASED_APPOINTMENT } from '../../db/patients/erased-appointment.ts';
import { eraseFromEvents, findEventsOfAppointment } from '../../db/patients/events-of-patient.ts';
import { eraseRecalls } from '../../db/patients/recalls-of-patient.ts';
import { deletePatientEmails } from '../../db/self-service/patient-emails.ts';
import { saveAppointment } from '../appointments/edit-appointment.ts';
import { eraseCallsOfPatient } from './erase-calls-of-patient.ts';
import { recordAudit } from '../command-context.ts';
import { requireTenant } from '../clinic/lock-tenant.ts';
import { recordEvent } from '../webhooks/record-event.ts';
import { eraseRecallEvents, type Erasure } from './events-of-patient.ts';
import { shownPatient, type FoundPatient, type PatientWork } from './named-patient.ts';
import { deleteStoredAnswersOf } from './delete-stored-answers.ts';

/** How much was erased. */
const erasedSchema = z.object({
  appointments: z.number(),
  calls: z.number(),
  /** Calls from phones that other patients use too. These calls are kept. */
  callsKept: z.number(),
  recordings: z.number(),
  events: z.number(),
  npsResponses: z.number(),
  triageForms: z.number(),
  recalls: z.number(),
  keptAnswers: z.number(),
});
export type Erased = z.infer<typeof erasedSchema>;

/** What stays after an erasure, and why. */
const KEPT = {
  appointments:
    'Time, professional, service, status and timeline stay, without the patient: the calendar and the statistics need them.',
  calls: 'Time and outcome stay, without number, transcript and recording: the statistics need them.',
  callsOfSharedPhones:
    'Other patients use the same phone, so these calls cannot be told apart. To erase them too, name the phone alone.',
  accessLog: 'It proves who saw the data. It has IDs of appointments and calls, and no names or numbers.',
  backups: 'They contain the data until they expire.',
} as const;
export type Kept = keyof typeof KEPT;

/**
 * Erases a patient of a clinic: names, phones, notes, answers, transcripts and recordings, also in event bodies and
 * receivers' responses. Times, statuses and counts stay, and open deliveries continue with the erased body. Sends
 * `patient.erased`, so that other systems erase their copies. Each appointment and call is its own transaction, so the
 * erasure can be interrupted and repeated: the data by which the remaining rows are found is erased last. Also returns the
 * recordings, whose bytes can be deleted at once. The columns are listed below and in `erase-calls-…`,
 * `delete-stored-answers` and `events-of-patient.ts`. docs/operations/patient-data.md#erase
 * @param found by `findNamedPatient`
 */
export async function erasePatient(
  { database, context }: PatientWork,
  { patient, storedHashes }: FoundPatient,
) {
  const erasure = { database, context, storedHashes, pseudonym: randomBytes(32).toString('hex') };
  const { tenantId } = patient;
  await announce({ database, context }, patient);
  const { own, shared } = await findPhonesOfPatient(database.em(), patient);
  const visits = await findVisitsOfPatient(database.em(), patient, shared);
  const traced = await deleteStoredAnswersOf(erasure, tenantId, new Set(own));
  const calls = await eraseCallsOfPatient(erasure, tenantId, own);
  const recallEvents = await eraseRecallEvents(erasure, patient, { own, visits });
  const recalls = await eraseRecalls(database.em(), { tenantId, own, visits });
  const appointments = await eraseAppointmentsOfPatient(erasure, patient);
  const erased: Erased = {
    appointments: appointments.count,
    calls: calls.count,
    callsKept: await countCallsOfPhones(database.em(), tenantId, shared),
    recordings: calls.recordings.length,
    events: appointments.events + calls.events + recallEvents,
    npsResponses: appointments.npsResponses,
    triageForms: appointments.triageForms,
    recalls,
    keptAnswers: traced + calls.keptAnswers + appointments.keptAnswers,
  };
  const audited = { tenantId, subjectId: null, details: { ...erased } };
  const auditId = await recordAudit(database.em(), { action: 'patient.erased', ...audited }, context);
  const kept = keptOf(erased).map((what) => ({ what, why: KEPT[what] }));
  return { erased, kept, recordings: calls.recordings, auditId };
}

/** How much an erasure erased, from its entry in the activity log; null without the entry. */
export async function findErasure(
  em: EntityManager,
  tenantId: string,
  auditId: string,
): Promise<Erased | null> {
  const entry = await em.findOne(AuditEventEntity, { id: auditId, tenantId, action: 'patient.erased' });
  return entry && erasedSchema.parse(entry.details);
}

/** Before anything is erased, so that receivers learn of it even if the run is interrupted and not repeated. */
async function announce({ database, context }: PatientWork, patient: Patient): Promise<void> {
  const em = database.em();
  const { id, name } = await requireTenant(em, patient.tenantId);
  await recordEvent(
    em,
    { tenant: { id, name }, type: 'patient.erased', data: shownPatient(patient) },
    context,
  );
}

/** What an erasure keeps. */
export function keptOf({
  appointments,
  calls,
  callsKept,
}: Pick<Erased, 'appointments' | 'calls' | 'callsKept'>): Kept[] {
  const counts: Record<Kept, number> = {
    appointments,
    calls,
    callsOfSharedPhones: callsKept,
    accessLog: 1,
    backups: 1,
  };
  return (Object.keys(counts) as Kept[]).filter((what) => counts[what] > 0);
}

const APPOINTMENTS_AT_ONCE = 1000;

/** Erases the patient's data in appointments, notes and answers. Returns how many of each. */
async function eraseAppointmentsOfPatient(erasure: Erasure, patient: Patient) {
  const { database } = erasure;
  const { tenantId } = patient;
  const total = { count: 0, events: 0, npsResponses: 0, triageForms: 0, keptAnswers: 0 };
  for (;;) {
    const ids = await findAppointmentsOfPatient(database.em(), patient, APPOINTMENTS_AT_ONCE);
    if (ids.length === 0) return total;
    total.keptAnswers += await deleteStoredAnswersOf(erasure, tenantId, new Set(ids));
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
  if (!locked) throw new Error('an appointment no longer exists, but appointments are never deleted');
  const events = await findEventsOfAppointment(em, tenantId, id);
  await eraseFromEvents(em, events, pseudonym);
  const answers = await eraseAnswers(em, tenantId, id);
  await deletePatientEmails(em, tenantId, id);
  await saveAppointment(em, locked, { ...ERASED_APPOINTMENT, patientPhoneHash: pseudonym });
  return { events: events.length, ...answers };
}
