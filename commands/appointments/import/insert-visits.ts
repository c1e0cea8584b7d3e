import { findTakenExternalIds } from '../../../db/appointments/find-appointment.ts';
import { insertVisits, type NewVisit } from '../../../db/appointments/import/write-visits.ts';
import { freeForOverlap, freeHolds } from '../../../db/appointments/slot-holds.ts';
import type { EntityManager } from '../../../db/connection/open-database.ts';
import type { ServiceError } from '../../../domain/service-error.ts';
import { alreadyBooked, externalIdConflict } from '../booking-conflict.ts';
import { slotTaken } from './move-visit.ts';
import type { ImportRun, Visit, VisitOutcome } from './visit.ts';

/** An appointment that the clinic does not have yet. */
export interface Insert {
  kind: 'insert';
  visit: Visit;
  planned: NewVisit;
}

/** Whether it is booked over others on purpose. */
export function isOver({ planned: { row } }: Insert, { context }: ImportRun): boolean {
  return row.overlap && row.blocksOver && row.endsAt > context.now;
}

/** Inserts appointments that need free time, or have ended. */
export async function insertPage(
  em: EntityManager,
  page: readonly Insert[],
  run: ImportRun,
): Promise<[Visit, VisitOutcome][]> {
  const planned = page.map((each) => each.planned);
  const inserted = await insertPastHolds(em, planned, run.context.actor);
  const left = page.filter((each) => !inserted.has(each.planned.row.id));
  const reasons = await whyNotInserted(em, run.tenantId, left);
  return page.map(({ visit, planned }) => {
    const error = reasons.get(visit);
    return [visit, error ? { result: 'refused', error } : { result: 'created', id: planned.row.id }];
  });
}

/** Inserts an appointment over others. */
export async function insertOver(em: EntityManager, insert: Insert, run: ImportRun): Promise<VisitOutcome> {
  const { visit, planned } = insert;
  const { row } = planned;
  const isThere = await alreadyBooked(em, row);
  if (isThere) return { result: 'refused', error: isThere };
  const isFree = await freeForOverlap(em, { ...row, takenBy: run.context.actor });
  const inserted = isFree && (await insertVisits(em, [planned])).has(row.id);
  if (inserted) return { result: 'created', id: row.id };
  const reasons = await whyNotInserted(em, run.tenantId, [insert]);
  return { result: 'refused', error: reasons.get(visit) ?? slotTaken() };
}

/** Retries the rest if holds are in the way that have expired or belong to patients. */
async function insertPastHolds(
  em: EntityManager,
  visits: readonly NewVisit[],
  takenBy: string,
): Promise<Set<string>> {
  const inserted = await insertVisits(em, visits);
  const left = visits.filter(({ row }) => !inserted.has(row.id));
  const slots = left.flatMap(({ row }) => (row.blocks ? [{ ...row, takenBy }] : []));
  const areFreed = await freeHolds(em, slots);
  return areFreed ? new Set([...inserted, ...(await insertVisits(em, left))]) : inserted;
}

/** The reasons why the database refused rows: the external ID was just used, or the slot is taken. */
async function whyNotInserted(
  em: EntityManager,
  tenantId: string,
  planned: readonly { visit: Visit }[],
): Promise<Map<Visit, ServiceError>> {
  if (planned.length === 0) return new Map();
  const ids = planned.map(({ visit }) => visit.externalId);
  const taken = await findTakenExternalIds(em, tenantId, ids);
  return new Map(
    planned.map(({ visit }) => [visit, taken.has(visit.externalId) ? externalIdConflict() : slotTaken()]),
  );
}
