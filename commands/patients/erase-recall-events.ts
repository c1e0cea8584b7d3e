import type { Patient } from '../../db/patients/appointments-of-patient.ts';
import { replaceEventBodies, type EventOfPatient } from '../../db/patients/events-of-patient.ts';
import type { RecalledPatient } from '../../db/patients/recalls-of-patient.ts';
import { eraseFromBody } from '../../domain/webhooks/erase-from-body.ts';
import type { Erasure, ShownHash } from './erase-patient.ts';
import { eventsOfType } from './events-of-calls.ts';

type RecalledBy = Omit<RecalledPatient, 'tenantId'>;

/** Their bodies hold no id of ours, so all such events of the clinic are read. Returns how many were the patient's. */
export async function eraseRecallEvents(
  { database, pseudonym, storedHashes }: Erasure,
  patient: Patient,
  by: RecalledBy,
): Promise<number> {
  const em = database.em();
  const isOfPatient = isRecallOf(patient, by, storedHashes);
  let erased = 0;
  for await (const event of eventsOfType(em, { tenantId: patient.tenantId, type: 'patient.recall_due' })) {
    if (!isOfPatient(event)) continue;
    await replaceEventBodies(em, [{ ...event, body: eraseFromBody(event.body, pseudonym) }]);
    erased += 1;
  }
  return erased;
}

interface RecallBody {
  data: { patientPhoneHash: string; patientExternalId?: string | null; lastVisitAt: string };
}

/** Tells whether a `patient.recall_due` is about the patient. */
export function isRecallOf(
  patient: Patient,
  { own, visits }: RecalledBy,
  storedHashes: ShownHash = (shown) => [shown],
): (event: EventOfPatient) => boolean {
  const phones = new Set(own);
  const number = 'externalId' in patient ? patient.externalId : null;
  const seen = new Set(visits.map((visit) => `${visit.patientPhoneHash} ${visit.startsAt.toISOString()}`));
  return ({ body }) => {
    const { patientPhoneHash, patientExternalId = null, lastVisitAt } = (JSON.parse(body) as RecallBody).data;
    if (number !== null && patientExternalId === number) return true;
    return storedHashes(patientPhoneHash).some(
      (hash) => phones.has(hash) || seen.has(`${hash} ${lastVisitAt}`),
    );
  };
}
