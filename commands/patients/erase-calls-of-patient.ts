import { callNumber } from '../../adapters/sealed-places.ts';
import { openEventBody, sealEventBody } from '../../adapters/sealed-event-body.ts';
import { findIdsOfCallEvents } from '../../db/calls/call-events.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import type { CallRecordingRow } from '../../db/entities/call-recording.entity.ts';
import { eraseTranscript, findCallsOfPhones } from '../../db/patients/calls-of-patient.ts';
import { replaceEventBodies, type StoredEvent } from '../../db/patients/events-of-patient.ts';
import { eraseFromBody } from '../../domain/webhooks/erase-from-body.ts';
import { eraseRecording } from '../calls/erase-recording.ts';
import { holdCall } from '../calls/require-call.ts';
import type { Erasure } from './erase-patient.ts';
import { findEventsOfCalls } from './events-of-calls.ts';
import { forgetKeptAnswersOf } from './forget-kept-answers.ts';

const PAGE = 100;

/** Erases who called and was called, what was said and done. @param phones hashes of the patient's phones */
export async function eraseCallsOfPatient(erasure: Erasure, tenantId: string, phones: readonly string[]) {
  const { database, cipher } = erasure;
  const total = { count: 0, events: 0, keptAnswers: 0, recordings: new Array<CallRecordingRow>() };
  for (;;) {
    const ids = await findCallsOfPhones(database.em(), tenantId, phones, PAGE);
    if (ids.length === 0) return total;
    // The answer to what was said names its events, and not the call.
    const said = await findIdsOfCallEvents(database.em(), tenantId, ids);
    total.keptAnswers += await forgetKeptAnswersOf(erasure, tenantId, new Set([...ids, ...said]));
    const eventsOf = await findEventsOfCalls(database.em(), cipher, { tenantId, callIds: new Set(ids) });
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
  events: readonly StoredEvent[];
}

async function eraseOne(
  em: EntityManager,
  { cipher, context, pseudonym }: Erasure,
  { tenantId, id, phones, events }: CallToErase,
): Promise<CallRecordingRow | null> {
  const { call } = await holdCall(em, tenantId, id);
  const isCaller = phones.includes(call.fromNumberHash);
  const isCallee = call.toNumberHash !== null && phones.includes(call.toNumberHash);
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
  call.telephonyCallControlId = null;
  call.metadata = {};
  await em.flush();
  return recording;
}
