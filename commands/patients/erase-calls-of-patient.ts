import { callNumber } from '../../domain/encryption/sealed-places.ts';
import { findIdsOfCallEvents } from '../../db/calls/call-events.ts';
import { cipherOf } from '../../db/connection/cipher-of.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import type { CallRecordingRow } from '../../db/entities/calls/call-recording.entity.ts';
import { eraseTranscript, findCallsOfPhones } from '../../db/patients/calls-of-patient.ts';
import { eraseFromEvents, type EventOfPatient } from '../../db/patients/events-of-patient.ts';
import { unsealed } from '../../domain/encryption/sealed-value.ts';
import { eraseRecording } from '../calls/remove-recordings.ts';
import { requireLockedCall } from '../calls/require-call.ts';
import type { Erasure } from './events-of-patient.ts';
import { findEventsOfCalls } from './events-of-patient.ts';
import { deleteStoredAnswersOf } from './delete-stored-answers.ts';

const PAGE = 100;

/** Erases numbers, transcripts and summaries. @param phones hashes of the patient's phones */
export async function eraseCallsOfPatient(erasure: Erasure, tenantId: string, phones: readonly string[]) {
  const { database } = erasure;
  const total = { count: 0, events: 0, keptAnswers: 0, recordings: new Array<CallRecordingRow>() };
  for (;;) {
    const ids = await findCallsOfPhones(database.em(), tenantId, phones, PAGE);
    if (ids.length === 0) return total;
    // A stored response about transcript events names the events, not the call.
    const said = await findIdsOfCallEvents(database.em(), tenantId, ids);
    total.keptAnswers += await deleteStoredAnswersOf(erasure, tenantId, new Set([...ids, ...said]));
    const eventsOf = await findEventsOfCalls(database.em(), { tenantId, callIds: new Set(ids) });
    for (const id of ids) {
      const call = { tenantId, id, phones, events: eventsOf.get(id) ?? [] };
      const recording = await database.em().transactional((em) => eraseOne(em, erasure, call));
      total.count += 1;
      total.events += call.events.length;
      if (recording) total.recordings.push(recording);
    }
  }
}

interface CallToErase {
  tenantId: string;
  id: string;
  phones: readonly string[];
  events: readonly EventOfPatient[];
}

async function eraseOne(
  em: EntityManager,
  { context, pseudonym }: Erasure,
  { tenantId, id, phones, events }: CallToErase,
): Promise<CallRecordingRow | null> {
  const { call } = await requireLockedCall(em, tenantId, id);
  const isCaller = phones.includes(call.fromNumberHash);
  const isCallee = phones.includes(call.toNumberHash);
  const numbers = { ...(isCaller && { fromNumber: '' }), ...(isCallee && { toNumber: '' }) };
  await eraseFromEvents(em, events, pseudonym, numbers);
  await eraseTranscript(em, tenantId, id);
  const recording = await eraseRecording(em, tenantId, id, context);
  const cipher = await cipherOf(em, tenantId);
  if (isCaller) {
    call.fromNumberSealed = cipher.encrypt('', callNumber({ tenantId, id }, 'from'));
    call.fromNumberHash = pseudonym;
  }
  if (isCallee) {
    call.toNumberSealed = cipher.encrypt('', callNumber({ tenantId, id }, 'to'));
    call.toNumberHash = pseudonym;
  }
  call.telephonyCallControlId = null;
  call.metadata = unsealed({});
  call.language = null;
  if (call.summary !== null) call.summary = unsealed('');
  await em.flush();
  return recording;
}
