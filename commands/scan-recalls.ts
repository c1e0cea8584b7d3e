import {
  addClinicsToRecallScan,
  clinicTimezones,
  finishRecallScan,
  lockClinicToScan,
  saveRecallProgress,
  type ClinicToScan,
} from '../db/recall/recall-scan-progress.ts';
import { claimRecalls, type DueRecall } from '../db/recall/claim-recalls.ts';
import type { EntityManager } from '../db/connection/open-database.ts';
import { isHashBeingExchanged } from '../db/patients/hash-exchanges.ts';
import { daysSinceVisit, recallDay, recallDueBefore, type RecallDay } from '../domain/recall.ts';
import type { CommandContext } from './command-context.ts';
import { recordEvent } from './webhooks/record-event.ts';
import { shownPhoneHash } from '../domain/patients/shown-phone-hash.ts';

export interface ScanRecalls {
  /** As returned by `recallTimezones`. */
  timezones: readonly (string | null)[];
  /** The clinic at which the scan continues. */
  from: string | null;
  /** Patients per transaction. */
  patients: number;
}

/** The time zones of all clinics. All these clinics are included in this scan. */
export async function recallTimezones(em: EntityManager): Promise<(string | null)[]> {
  await addClinicsToRecallScan(em);
  return clinicTimezones(em);
}

/**
 * Searches the next patients of a clinic where it is past 09:00 and today's search is not finished, and records
 * `patient.recall_due` once per last appointment (`claimRecalls`), in the caller's transaction. Null when there is no
 * such clinic. docs/recall.md#when-a-recall-is-due
 */
export async function scanRecalls(
  em: EntityManager,
  { timezones, from, patients: limit }: ScanRecalls,
  context: CommandContext,
) {
  // Meanwhile a patient's appointments may have two hashes.
  if (await isHashBeingExchanged(em)) return null;
  const open = timezones.flatMap((timezone) => openDay(timezone, context.now));
  const clinic = await lockClinicToScan(em, open, from);
  if (!clinic) return null;
  const [day] = openDay(clinic.timezone, context.now);
  if (!day) throw new Error('a clinic was chosen before its working day had begun');
  const { tenantId, reachedKey: afterKey } = clinic;
  const search = { tenantId, afterKey, limit, visitedBefore: recallDueBefore(day), now: context.now };
  const { recalls, patients, reachedKey } = await claimRecalls(em, search);
  for (const recall of recalls) await announce(em, clinic, recall, day, context);
  const isClinicDone = patients < limit || reachedKey === null;
  if (isClinicDone) await finishRecallScan(em, tenantId, day.date);
  else await saveRecallProgress(em, tenantId, day.date, reachedKey);
  return { tenantId, recalls: recalls.length, isClinicDone };
}

function openDay(timezone: string | null, now: Date): (RecallDay & { timezone: string | null })[] {
  const day = recallDay(timezone, now);
  return day ? [{ ...day, timezone }] : [];
}

async function announce(
  em: EntityManager,
  { tenantId, tenantName }: ClinicToScan,
  { lastVisitAt, ...patient }: DueRecall,
  day: RecallDay,
  context: CommandContext,
): Promise<void> {
  const daysSinceLastVisit = daysSinceVisit(lastVisitAt, day);
  const shown = { ...patient, patientPhoneHash: shownPhoneHash(patient.patientPhoneHash) };
  const data = { ...shown, lastVisitAt: lastVisitAt.toISOString(), daysSinceLastVisit };
  const tenant = { id: tenantId, name: tenantName };
  await recordEvent(em, { tenant, type: 'patient.recall_due', data }, context);
}
