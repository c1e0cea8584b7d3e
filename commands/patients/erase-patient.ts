import { randomBytes } from 'node:crypto';
import type { Database } from '../../db/connection/open-database.ts';
import {
  findPhonesOfPatient,
  findVisitsOfPatient,
  type Patient,
} from '../../db/patients/appointments-of-patient.ts';
import { countCallsOfPhones } from '../../db/patients/calls-of-patient.ts';
import { eraseRecalls } from '../../db/patients/recalls-of-patient.ts';
import type { CommandContext } from '../command-context.ts';
import { eraseAppointmentsOfPatient } from './erase-appointments-of-patient.ts';
import { eraseCallsOfPatient } from './erase-calls-of-patient.ts';
import { eraseRecallEvents } from './events-of-patient.ts';
import { forgetKeptAnswersOf } from './forget-kept-answers.ts';

export type ShownHash = (shown: string) => readonly string[];

export interface Erasure {
  database: Pick<Database, 'em'>;
  context: CommandContext;
  /** Hashes of phones as rows have them, of one that an event or an answer shows, which may be older. */
  storedHashes?: ShownHash | undefined;
  /** Stands for the patient from now on, so that their rows still belong together. */
  pseudonym: string;
}

/**
 * Erases a patient of a clinic: names, phones, notes, answers, transcripts and recordings, in the bodies of events and what
 * receivers answered too. Times, statuses and counts stay, and deliveries under way go on with the erased body. Each
 * appointment and each call is a transaction, so it may be broken off and begun again: what leads to the rest goes last.
 * Returns the recordings too, whose bytes can go at once. Which columns of which rows: `erase-…`, `forget-…` and `events-of-patient.ts` beside this file. docs/operations.md#erase-a-patient
 */
export async function erasePatient(
  { database, context, storedHashes }: Omit<Erasure, 'pseudonym'>,
  patient: Patient,
) {
  const erasure = { database, context, storedHashes, pseudonym: randomBytes(32).toString('hex') };
  const { tenantId } = patient;
  const { own, shared } = await findPhonesOfPatient(database.em(), patient);
  const visits = await findVisitsOfPatient(database.em(), patient, shared);
  const traced = await forgetKeptAnswersOf(erasure, tenantId, new Set(own));
  const calls = await eraseCallsOfPatient(erasure, tenantId, own);
  const recallEvents = await eraseRecallEvents(erasure, patient, { own, visits });
  const recalls = await eraseRecalls(database.em(), { tenantId, own, visits });
  const appointments = await eraseAppointmentsOfPatient(erasure, patient);
  /** How much was found of the patient. */
  const erased = {
    appointments: appointments.count,
    calls: calls.count,
    /** From phones that others use, too; they stay. */
    callsKept: await countCallsOfPhones(database.em(), tenantId, shared),
    recordings: calls.recordings.length,
    events: appointments.events + calls.events + recallEvents,
    npsResponses: appointments.npsResponses,
    triageForms: appointments.triageForms,
    recalls,
    keptAnswers: traced + calls.keptAnswers + appointments.keptAnswers,
  };
  return { erased, recordings: calls.recordings };
}
