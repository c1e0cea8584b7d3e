import { openCall, type OpenedCall } from '../../db/calls/open-call.ts';
import { listCallEvents } from '../../db/calls/call-events.ts';
import { findRecordingOfCall } from '../../db/calls/find-recording.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { AppointmentEntity, type AppointmentRow } from '../../db/entities/appointment.entity.ts';
import type { CallEventRow } from '../../db/entities/call-event.entity.ts';
import type { CallRecordingRow } from '../../db/entities/call-recording.entity.ts';
import { openRow, openRows } from '../../db/encryption/field-seal.ts';
import { CallEntity } from '../../db/entities/call.entity.ts';
import { NpsResponseEntity, type NpsResponseRow } from '../../db/entities/nps-response.entity.ts';
import { TriageFormEntity, type TriageFormRow } from '../../db/entities/triage-form.entity.ts';
import { findEventsOfAppointment, type EventOfPatient } from '../../db/patients/events-of-patient.ts';
import {
  findAppointmentsOfPatient,
  findPhonesOfPatient,
  findVisitsOfPatient,
  type Patient,
} from '../../db/patients/appointments-of-patient.ts';
import { findRecallsOfPatient, type RecallOfPatient } from '../../db/patients/recalls-of-patient.ts';
import { SEALED_FIELDS } from '../../domain/encryption/sealed-fields.ts';
import { isRecallOf } from './erase-recall-events.ts';
import { eventsOfType, findEventsOfCalls } from './events-of-calls.ts';
import type { ShownHash } from './erase-patient.ts';

/** Appointments that one patient may have, far beyond a life. */
const MOST = 100_000;

export interface PatientData {
  appointments: {
    row: AppointmentRow;
    npsResponse: NpsResponseRow | null;
    triageForm: TriageFormRow | null;
  }[];
  calls: { row: OpenedCall; events: CallEventRow[]; recording: CallRecordingRow | null }[];
  recalls: RecallOfPatient[];
  /** The bodies of all events that told of the patient, as they were sent, in the order of their ids. */
  events: unknown[];
}

/** Everything that a clinic's rows hold of a patient. What was said on a phone that others use, too, is not told. */
export async function exportPatient(
  em: EntityManager,
  patient: Patient,
  storedHashes?: ShownHash,
): Promise<PatientData> {
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
  for await (const event of eventsOfType(em, { tenantId, type: 'patient.recall_due' })) {
    if (isOfPatient(event)) stored.push(event);
  }
  const recalls = await findRecallsOfPatient(em, { tenantId, ...by });
  return { appointments, calls, recalls, events: bodiesOf(stored) };
}

async function appointmentsOf(em: EntityManager, patient: Patient) {
  const { tenantId } = patient;
  const ids = await findAppointmentsOfPatient(em, patient, MOST);
  const inOrder = { orderBy: { startsAt: 'asc', id: 'asc' } } as const;
  const found: PatientData['appointments'] = [];
  const stored = await em.find(AppointmentEntity, { tenantId, id: { $in: ids } }, inOrder);
  for (const row of await openRows(em, SEALED_FIELDS.appointment, stored)) {
    const answerTo = { tenantId, appointmentId: row.id };
    const npsResponse = await em.findOne(NpsResponseEntity, answerTo);
    const triageForm = await em.findOne(TriageFormEntity, answerTo);
    found.push({
      row,
      npsResponse: npsResponse && (await openRow(em, SEALED_FIELDS.npsResponse, npsResponse)),
      triageForm: triageForm && (await openRow(em, SEALED_FIELDS.triageForm, triageForm)),
    });
  }
  return found;
}

async function callsOf(em: EntityManager, tenantId: string, phones: readonly string[]) {
  const either = { $or: [{ fromNumberHash: { $in: [...phones] } }, { toNumberHash: { $in: [...phones] } }] };
  const byStart = { orderBy: { startedAt: 'asc', id: 'asc' } } as const;
  const found: PatientData['calls'] = [];
  for (const row of await em.find(CallEntity, { tenantId, ...either }, byStart)) {
    found.push({
      row: await openCall(em, row),
      events: await listCallEvents(em, tenantId, row.id),
      recording: await findRecordingOfCall(em, tenantId, row.id),
    });
  }
  return found;
}

/** An event that tells of two appointments was found twice. */
function bodiesOf(stored: readonly EventOfPatient[]): unknown[] {
  const byId = new Map(stored.map((event) => [event.id, event]));
  return [...byId.values()]
    .sort((one, other) => (one.id < other.id ? -1 : 1))
    .map((event): unknown => JSON.parse(event.body));
}
