import { listCallEvents } from '../../db/calls/call-events.ts';
import { findRecordingOfCall } from '../../db/calls/recordings.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { AppointmentEntity, type StoredAppointment } from '../../db/entities/appointment.entity.ts';
import { openRow, openRows } from '../../db/encryption/field-seal.ts';
import { CallEntity, type CallRow } from '../../db/entities/calls/call.entity.ts';
import { NpsResponseEntity } from '../../db/entities/nps-response.entity.ts';
import { TriageFormEntity } from '../../db/entities/triage-form.entity.ts';
import { findEventsOfAppointment, type EventOfPatient } from '../../db/patients/events-of-patient.ts';
import {
  findAppointmentsOfPatient,
  findPhonesOfPatient,
  findVisitsOfPatient,
  type Patient,
} from '../../db/patients/appointments-of-patient.ts';
import { findPatientEmails } from '../../db/self-service/patient-emails.ts';
import { findRecallsOfPatient } from '../../db/patients/recalls-of-patient.ts';
import { eventsFoundByPhone, findEventsOfCalls, isRecallOf } from './events-of-patient.ts';
import type { ShownHash } from './events-of-patient.ts';
import { recordAudit } from '../command-context.ts';
import { listPatientAccesses } from '../patient-reads/patient-accesses.ts';
import { findSubjectsOfPatient } from '../patient-reads/subjects-of-patient.ts';
import { REMINDER_DUE } from '../../domain/webhooks/event-types.ts';
import { shownPatient, type FoundPatient, type PatientWork } from './named-patient.ts';

/** More appointments than one patient can have. */
const MOST = 100_000;

/**
 * Everything stored about a patient, and who has seen it. Leaves out calls on a phone that others use too. The export is
 * recorded in the activity log. docs/operations/patient-data.md#export
 * @param found by `findNamedPatient`
 */
export async function exportPatient(
  { database, context }: PatientWork,
  { patient, storedHashes }: FoundPatient,
) {
  const em = database.em();
  const stored = await storedAbout(em, patient, storedHashes);
  const seenBy = await listPatientAccesses(em, {
    tenantId: patient.tenantId,
    subjectIds: await findSubjectsOfPatient(em, patient),
  });
  const audited = { action: 'patient.exported', tenantId: patient.tenantId, subjectId: null } as const;
  await recordAudit(em, audited, context);
  return { ...shownPatient(patient), ...stored, seenBy };
}

async function storedAbout(em: EntityManager, patient: Patient, storedHashes?: ShownHash) {
  const { tenantId } = patient;
  const { own, shared } = await findPhonesOfPatient(em, patient);
  const by = { own, visits: await findVisitsOfPatient(em, patient, shared) };
  const stored: EventOfPatient[] = [];
  const appointments = await appointmentsOf(em, patient);
  for (const { row } of appointments) stored.push(...(await findEventsOfAppointment(em, tenantId, row.id)));
  const calls = await callsOf(em, tenantId, own);
  const callIds = new Set(calls.map(({ row }) => row.id));
  stored.push(...[...(await findEventsOfCalls(em, { tenantId, callIds })).values()].flat());
  const isOfPatient = isRecallOf(patient, by, storedHashes);
  for await (const event of eventsFoundByPhone(em, tenantId)) {
    if (isOfPatient(event)) stored.push(event);
  }
  const recalls = await findRecallsOfPatient(em, { tenantId, ...by });
  return { appointments, calls, recalls, events: bodiesOf(stored) };
}

async function appointmentsOf(em: EntityManager, patient: Patient) {
  const { tenantId } = patient;
  const ids = await findAppointmentsOfPatient(em, patient, MOST);
  const inOrder = { orderBy: { startsAt: 'asc', id: 'asc' } } as const;
  const stored = await em.find(AppointmentEntity, { tenantId, id: { $in: ids } }, inOrder);
  return withAnswers(em, tenantId, stored);
}

export type VisitWithAnswers = Awaited<ReturnType<typeof withAnswers>>[number];

/** Appointments with intake forms, feedback and the address that the patient gave. */
export async function withAnswers(
  em: EntityManager,
  tenantId: string,
  appointments: readonly StoredAppointment[],
) {
  const ofThese = { tenantId, appointmentId: { $in: appointments.map(({ id }) => id) } };
  const npsResponses = await em.find(NpsResponseEntity, ofThese);
  const triageForms = await em.find(TriageFormEntity, ofThese);
  const responseTo = byAppointment(await openRows(em, 'npsResponse', npsResponses));
  const formOf = byAppointment(await openRows(em, 'triageForm', triageForms));
  const emails = await findPatientEmails(em, tenantId, ofThese.appointmentId.$in);
  const emailOf = new Map(emails.map(({ appointmentId, email }) => [appointmentId, email]));
  const rows = await openRows(em, 'appointment', appointments);
  return rows.map((row) => ({
    row,
    npsResponse: responseTo.get(row.id) ?? null,
    triageForm: formOf.get(row.id) ?? null,
    patientEmail: emailOf.get(row.id) ?? null,
  }));
}

function byAppointment<Answer extends { appointmentId: string }>(answers: readonly Answer[]) {
  return new Map(answers.map((answer) => [answer.appointmentId, answer]));
}

async function callsOf(em: EntityManager, tenantId: string, phones: readonly string[]) {
  const either = { $or: [{ fromNumberHash: { $in: [...phones] } }, { toNumberHash: { $in: [...phones] } }] };
  const byStart = { orderBy: { startedAt: 'asc', id: 'asc' } } as const;
  const found: WholeCall[] = [];
  for (const row of await em.find(CallEntity, { tenantId, ...either }, byStart)) {
    found.push(await wholeCall(em, row));
  }
  return found;
}

export type WholeCall = Awaited<ReturnType<typeof wholeCall>>;

/** A call with its transcript. */
export async function wholeCall(em: EntityManager, call: CallRow) {
  const { tenantId, id } = call;
  return {
    row: await openRow(em, 'call', call),
    events: await listCallEvents(em, tenantId, id),
    recording: await findRecordingOfCall(em, tenantId, id),
  };
}

/**
 * The bodies as they were sent, without links that act for the patient, in order of ids. An event about two appointments
 * is found twice and listed once.
 */
function bodiesOf(stored: readonly EventOfPatient[]) {
  const byId = new Map(stored.map((event) => [event.id, event]));
  return [...byId.values()]
    .sort((one, other) => (one.id < other.id ? -1 : 1))
    .map((event) => withoutLink(JSON.parse(event.body)));
}

function withoutLink(
  event: { type: string; data: object } & Record<string, unknown>,
): Record<string, unknown> {
  return event.type === REMINDER_DUE ? { ...event, data: { ...event.data, patientUrl: null } } : event;
}
