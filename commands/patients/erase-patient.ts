import { randomBytes } from 'node:crypto';
import { callNumber } from '../../adapters/sealed-places.ts';
import { openEventBody, sealEventBody } from '../../adapters/sealed-event-body.ts';
import type { SecretCipher } from '../../adapters/secret-cipher.ts';
import { lockAppointment } from '../../db/appointments/lock-appointment.ts';
import type { Database, EntityManager } from '../../db/connection/open-database.ts';
import type { CallRecordingRow } from '../../db/entities/call-recording.entity.ts';
import {
  findEventsOfAppointment,
  replaceEventBodies,
  type StoredEvent,
} from '../../db/patients/events-of-patient.ts';
import {
  eraseAnswers,
  eraseRecalls,
  eraseTranscript,
  findAppointmentsOfPatient,
  findCallsOfPatient,
  type Patient,
} from '../../db/patients/patient-rows.ts';
import { ERASED_NAME, eraseFromBody } from '../../domain/webhooks/erase-from-body.ts';
import type { CommandContext } from '../command-context.ts';
import { saveAppointment } from '../appointments/save-appointment.ts';
import { eraseRecording } from '../calls/erase-recording.ts';
import { holdCall } from '../calls/require-call.ts';
import { eventsOfType, findEventsOfCalls } from './events-of-calls.ts';
import { forgetKeptAnswersOf } from './forget-kept-answers.ts';

const PAGE = 100;

export interface Erasure {
  database: Pick<Database, 'em'>;
  cipher: SecretCipher;
  context: CommandContext;
}

/** How much was found of the patient. */
export interface Erased {
  appointments: number;
  calls: number;
  recordings: number;
  events: number;
  npsResponses: number;
  triageForms: number;
  recalls: number;
  keptAnswers: number;
}

/** Stands for one patient from now on, so that their rows still belong together. */
type Pseudonym = string;

/**
 * Erases a patient of a clinic: names, phones, notes, answers, transcripts and recordings, in the bodies of events and what
 * receivers answered too. Times, statuses and counts stay, and deliveries under way go on with the erased body. Each
 * appointment and each call is a transaction, so it may be broken off and begun again. Returns the recordings too, whose
 * bytes can go at once. docs/operations.md#erase-a-patient
 */
export async function erasePatient(
  erasure: Erasure,
  patient: Patient,
): Promise<{ erased: Erased; recordings: CallRecordingRow[] }> {
  const { database } = erasure;
  const pseudonym: Pseudonym = randomBytes(32).toString('hex');
  const appointments = await eraseAppointments(erasure, patient, pseudonym);
  const calls = await eraseCalls(erasure, patient, pseudonym);
  const recallEvents = await eraseRecallEvents(database.em(), patient, pseudonym);
  const recalls = await eraseRecalls(database.em(), patient, pseudonym);
  const traces = [patient.patientPhoneHash, ...appointments.ids, ...calls.ids];
  const keptAnswers = await forgetKeptAnswersOf(erasure, patient.tenantId, traces);
  const erased = {
    appointments: appointments.ids.length,
    calls: calls.ids.length,
    recordings: calls.recordings.length,
    events: appointments.events + calls.events + recallEvents,
    npsResponses: appointments.npsResponses,
    triageForms: appointments.triageForms,
    recalls,
    keptAnswers,
  };
  return { erased, recordings: calls.recordings };
}

async function eraseAppointments({ database }: Erasure, patient: Patient, pseudonym: Pseudonym) {
  const total = { ids: new Array<string>(), events: 0, npsResponses: 0, triageForms: 0 };
  for (;;) {
    const ids = await findAppointmentsOfPatient(database.em(), patient, PAGE);
    if (ids.length === 0) return total;
    for (const id of ids) {
      const erased = await database
        .em()
        .transactional((em) => eraseAppointment(em, patient.tenantId, id, pseudonym));
      total.ids.push(id);
      total.events += erased.events;
      total.npsResponses += erased.npsResponses;
      total.triageForms += erased.triageForms;
    }
  }
}

async function eraseAppointment(em: EntityManager, tenantId: string, id: string, pseudonym: Pseudonym) {
  const locked = await lockAppointment(em, tenantId, id);
  if (!locked) throw new Error('an appointment is gone, and appointments never go');
  const events = await findEventsOfAppointment(em, tenantId, id);
  await replaceEventBodies(
    em,
    events.map((event) => ({ ...event, body: eraseFromBody(event.body, pseudonym) })),
  );
  const answers = await eraseAnswers(em, tenantId, id);
  await saveAppointment(em, locked, {
    patientName: ERASED_NAME,
    patientPhoneHash: pseudonym,
    patientNotes: null,
    metadata: null,
    externalId: null,
    patientExternalId: null,
  });
  return { events: events.length, ...answers };
}

async function eraseCalls(erasure: Erasure, patient: Patient, pseudonym: Pseudonym) {
  const { database, cipher } = erasure;
  const { tenantId } = patient;
  const total = { ids: new Array<string>(), recordings: new Array<CallRecordingRow>(), events: 0 };
  for (;;) {
    const ids = await findCallsOfPatient(database.em(), patient, PAGE);
    if (ids.length === 0) return total;
    const eventsOf = await findEventsOfCalls(database.em(), cipher, { tenantId, callIds: new Set(ids) });
    for (const id of ids) {
      const events = eventsOf.get(id) ?? [];
      const recording = await database
        .em()
        .transactional((em) => eraseCall(em, erasure, { ...patient, id, events }, pseudonym));
      total.ids.push(id);
      total.events += events.length;
      if (recording) total.recordings.push(recording);
    }
  }
}

async function eraseCall(
  em: EntityManager,
  { cipher, context }: Erasure,
  { tenantId, patientPhoneHash, id, events }: Patient & { id: string; events: readonly StoredEvent[] },
  pseudonym: Pseudonym,
): Promise<CallRecordingRow | null> {
  const { call } = await holdCall(em, tenantId, id);
  const [isCaller, isCallee] = [
    call.fromNumberHash === patientPhoneHash,
    call.toNumberHash === patientPhoneHash,
  ];
  const numbers = { ...(isCaller && { fromNumber: '' }), ...(isCallee && { toNumber: '' }) };
  await replaceEventBodies(
    em,
    events.map((event) => {
      const erased = eraseFromBody(openEventBody(cipher, event, event.body), pseudonym, numbers);
      return { ...event, body: sealEventBody(cipher, event, erased) };
    }),
  );
  await eraseTranscript(em, tenantId, id);
  const recording = await eraseRecording(em, tenantId, id, context);
  if (isCaller) {
    call.fromNumberSealed = cipher.encrypt('', callNumber({ tenantId, id }, 'from'));
    call.fromNumberHash = pseudonym;
  }
  if (isCallee) {
    call.toNumberSealed = cipher.encrypt('', callNumber({ tenantId, id }, 'to'));
    call.toNumberHash = pseudonym;
  }
  call.metadata = {};
  await em.flush();
  return recording;
}

/** Their bodies hold the hash and no id, so all such events of the clinic are read. */
async function eraseRecallEvents(em: EntityManager, patient: Patient, pseudonym: Pseudonym): Promise<number> {
  const { tenantId, patientPhoneHash } = patient;
  let erased = 0;
  for await (const event of eventsOfType(em, { tenantId, type: 'patient.recall_due' })) {
    if (!event.body.includes(patientPhoneHash)) continue;
    await replaceEventBodies(em, [{ ...event, body: eraseFromBody(event.body, pseudonym) }]);
    erased += 1;
  }
  return erased;
}
