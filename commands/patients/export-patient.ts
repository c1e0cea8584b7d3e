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
import { findRecallsOfPatient, type Patient, type RecallOfPatient } from '../../db/patients/patient-rows.ts';
import { eventsOfType, findEventsOfCalls } from './events-of-calls.ts';

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

/** Everything that a clinic's rows hold of a patient. */
export async function exportPatient(
  em: EntityManager,
  cipher: SecretCipher,
  patient: Patient,
): Promise<PatientData> {
  const { tenantId, patientPhoneHash } = patient;
  const stored: StoredEvent[] = [];
  const appointments: PatientData['appointments'] = [];
  const inOrder = { orderBy: { startsAt: 'asc', id: 'asc' } } as const;
  for (const row of await em.find(AppointmentEntity, { tenantId, patientPhoneHash }, inOrder)) {
    const answerTo = { tenantId, appointmentId: row.id };
    appointments.push({
      row,
      npsResponse: await em.findOne(NpsResponseEntity, answerTo),
      triageForm: await em.findOne(TriageFormEntity, answerTo),
    });
    stored.push(...(await findEventsOfAppointment(em, tenantId, row.id)));
  }
  const calls: PatientData['calls'] = [];
  const byStart = { orderBy: { startedAt: 'asc', id: 'asc' } } as const;
  const either = { $or: [{ fromNumberHash: patientPhoneHash }, { toNumberHash: patientPhoneHash }] };
  for (const row of await em.find(CallEntity, { tenantId, ...either }, byStart)) {
    calls.push({
      row,
      events: await listCallEvents(em, tenantId, row.id),
      recording: await findRecordingOfCall(em, tenantId, row.id),
    });
  }
  const callIds = new Set(calls.map(({ row }) => row.id));
  stored.push(...[...(await findEventsOfCalls(em, cipher, { tenantId, callIds })).values()].flat());
  for await (const event of eventsOfType(em, { tenantId, type: 'patient.recall_due' })) {
    if (event.body.includes(patientPhoneHash)) stored.push(event);
  }
  return {
    appointments,
    calls,
    recalls: await findRecallsOfPatient(em, patient),
    events: bodiesOf(cipher, stored),
  };
}

/** An event that tells of two appointments was found twice. */
function bodiesOf(cipher: SecretCipher, stored: readonly StoredEvent[]): unknown[] {
  const byId = new Map(stored.map((event) => [event.id, event]));
  return [...byId.values()]
    .sort((one, other) => (one.id < other.id ? -1 : 1))
    .map((event): unknown => JSON.parse(openEventBody(cipher, event, event.body)));
}
