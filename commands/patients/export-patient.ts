import { openEventBody } from '../../adapters/sealed-event-body.ts';
import type { SecretCipher } from '../../adapters/secret-cipher.ts';
import { listCallEvents } from '../../db/calls/call-events.ts';
import { findRecordingOfCall } from '../../db/calls/find-recording.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { AppointmentEntity, type AppointmentRow } from '../../db/entities/appointment.entity.ts';
import type { CallEventRow } from '../../db/entities/call-event.entity.ts';
import type { CallRecordingRow } from '../../db/entities/call-recording.entity.ts';
import { CallEntity, type CallRow } from '../../db/entities/call.entity.ts';
import { NpsResponseEntity, type NpsResponseRow } from '../../db/entities/nps-response.entity.ts';
import { TriageFormEntity, type TriageFormRow } from '../../db/entities/triage-form.entity.ts';
import { findEventsOfAppointment, type StoredEvent } from '../../db/patients/events-of-patient.ts';
import {
  findAppointmentsOfPatient,
  findPhonesOfPatient,
  findVisitsOfPatient,
  type Patient,
} from '../../db/patients/appointments-of-patient.ts';
import { findRecallsOfPatient, type RecallOfPatient } from '../../db/patients/recalls-of-patient.ts';
import { isRecallOf } from './erase-recall-events.ts';
import { eventsOfType, findEventsOfCalls } from './events-of-calls.ts';

/** Appointments that one patient may have, far beyond a life. */
const MOST = 100_000;

export interface PatientData {
  appointments: {
    row: AppointmentRow;
    npsResponse: NpsResponseRow | null;
    triageForm: TriageFormRow | null;
  }[];
  calls: { row: CallRow; events: CallEventRow[]; recording: CallRecordingRow | null }[];
  recalls: RecallOfPatient[];
  /** The bodies of all events that told of the patient, as they were sent, in the order of their ids. */
  events: unknown[];
}

/** Everything that a clinic's rows hold of a patient. What was said on a phone that others use, too, is not told. */
export async function exportPatient(
  em: EntityManager,
  cipher: SecretCipher,
  patient: Patient,
): Promise<PatientData> {
  const { tenantId } = patient;
  const { own, shared } = await findPhonesOfPatient(em, patient);
  const by = { own, visits: await findVisitsOfPatient(em, patient, shared) };
  const stored: StoredEvent[] = [];
  const appointments = await appointmentsOf(em, patient);
  for (const { row } of appointments) stored.push(...(await findEventsOfAppointment(em, tenantId, row.id)));
  const calls = await callsOf(em, tenantId, own);
  const callIds = new Set(calls.map(({ row }) => row.id));
  stored.push(...[...(await findEventsOfCalls(em, cipher, { tenantId, callIds })).values()].flat());
  const isOfPatient = isRecallOf(patient, by);
  for await (const event of eventsOfType(em, { tenantId, type: 'patient.recall_due' })) {
    if (isOfPatient(event)) stored.push(event);
  }
  const recalls = await findRecallsOfPatient(em, { tenantId, ...by });
  return { appointments, calls, recalls, events: bodiesOf(cipher, stored) };
}

async function appointmentsOf(em: EntityManager, patient: Patient) {
  const { tenantId } = patient;
  const ids = await findAppointmentsOfPatient(em, patient, MOST);
  const inOrder = { orderBy: { startsAt: 'asc', id: 'asc' } } as const;
  const found: PatientData['appointments'] = [];
  for (const row of await em.find(AppointmentEntity, { tenantId, id: { $in: ids } }, inOrder)) {
    const answerTo = { tenantId, appointmentId: row.id };
    found.push({
      row,
      npsResponse: await em.findOne(NpsResponseEntity, answerTo),
      triageForm: await em.findOne(TriageFormEntity, answerTo),
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
      row,
      events: await listCallEvents(em, tenantId, row.id),
      recording: await findRecordingOfCall(em, tenantId, row.id),
    });
  }
  return found;
}

/** An event that tells of two appointments was found twice. */
function bodiesOf(cipher: SecretCipher, stored: readonly StoredEvent[]): unknown[] {
  const byId = new Map(stored.map((event) => [event.id, event]));
  return [...byId.values()]
    .sort((one, other) => (one.id < other.id ? -1 : 1))
    .map((event): unknown => JSON.parse(openEventBody(cipher, event, event.body)));
}
