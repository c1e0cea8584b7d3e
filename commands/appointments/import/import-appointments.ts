import { readClinicOfVisits, type ClinicOfVisits } from '../../../db/appointments/import/clinic-of-visits.ts';
import {
  lockVisits,
  type HeldVisit,
  waitForImports,
  writeOverVisits,
  type ChangedVisit,
} from '../../../db/appointments/import/write-visits.ts';
import { lockProfessionals } from '../../../db/clinic/professionals.ts';
import type { EntityManager } from '../../../db/connection/open-database.ts';
import { timingsOf } from '../../../db/connection/timings-of.ts';
import { checkImportedStatus } from '../../../domain/appointments/imported-visit.ts';
import { fieldError, type ServiceError } from '../../../domain/service-error.ts';
import { insertOver, insertPage, isOver, type Insert } from './insert-visits.ts';
import { planKnownVisit } from './plan-known-visit.ts';
import { planNewVisit, serviceOf } from './plan-new-visit.ts';
import { takeTimes, type Growth, type Move } from './take-times.ts';
import {
  asRefusal,
  inOrderOfTime,
  type ImportRun,
  type TimedRun,
  type Visit,
  type VisitOutcome,
} from './visit.ts';

/** Appointments per statement, so that bookings can run in between. */
const PAGE = 100;

/**
 * Imports appointments from another system, each with its own external ID. Returns the result of each; a refused
 * appointment does not affect the others. Existing appointments are updated if they differ. docs/import.md
 *
 * Appointments are locked first, then their professionals, in order of ids, so that concurrent imports and moves wait
 * instead of deadlocking. Slots are taken in order of time as far as possible; batched bookings wait for a slot only
 * briefly.
 */
export async function importAppointments(em: EntityManager, visits: readonly Visit[], run: ImportRun) {
  const { tenantId } = run;
  await waitForImports(em, tenantId);
  const clinic = await readClinicOfVisits(em, tenantId, visits);
  const externalIds = visits.map(({ externalId }) => externalId);
  const held = await lockVisits(em, tenantId, externalIds);
  const from = [...held.values()].map(({ appointment }) => appointment.professionalId);
  const isForOverlap = mayOverlap(visits, held, run.context.now);
  await lockProfessionals(em, tenantId, [...clinic.professionals.keys(), ...from], { isForOverlap });
  const timed = { ...run, timings: timingsOf(em) };
  const plans = visits.map((visit) => tryToPlan(visit, held.get(visit.externalId), clinic, timed));
  const outcomes = new Map(plans.flatMap((plan) => settledAlready(plan)));
  // First the changes that may free a time, then those that need one.
  for (const page of pagesOf(plans.filter((plan) => plan.kind === 'change'))) {
    const changes = page.map(({ change }) => change);
    await writeOverVisits(em, changes);
    for (const { visit, change } of page) outcomes.set(visit, { result: 'updated', id: change.row.id });
  }
  const takers = plans.filter((plan) => plan.kind === 'move' || plan.kind === 'grow');
  const inserts = inOrderOfTime(plans.filter((plan) => plan.kind === 'insert'));
  for (const [visit, outcome] of await takeTimes(em, { takers, inserts }, clinic, run))
    outcomes.set(visit, outcome);
  const plain = inserts.filter((plan) => !isOver(plan, run) && !outcomes.has(plan.visit));
  for (const page of pagesOf(plain)) {
    for (const [visit, outcome] of await insertPage(em, page, run)) outcomes.set(visit, outcome);
  }
  // Last, because they need no free time.
  for (const insert of inserts.filter((plan) => isOver(plan, run)))
    outcomes.set(insert.visit, await insertOver(em, insert, run));
  return visits.map((visit) => {
    const outcome = outcomes.get(visit);
    if (!outcome) throw new Error('an imported appointment was neither stored nor refused');
    return outcome;
  });
}

/** Whether one may overlap others, or may become longer beside them. Visits that have ended, and stay so, need no lock. */
function mayOverlap(visits: readonly Visit[], held: ReadonlyMap<string, HeldVisit>, now: Date): boolean {
  return visits.some(({ externalId, overlap, endsAt, serviceTypeId }) => {
    if (overlap) return true;
    const known = held.get(externalId)?.appointment;
    if (!known?.blocksOver) return false;
    const isOtherService = serviceTypeId !== undefined && serviceTypeId !== known.serviceTypeId;
    return known.endsAt > now || isOtherService || (endsAt !== undefined && endsAt > now);
  });
}

type Plan =
  | Move
  | Growth
  | Insert
  | ({ visit: Visit } & (
      | { kind: 'change'; change: ChangedVisit }
      | { kind: 'same'; id: string }
      | { kind: 'refused'; error: ServiceError }
    ));

function tryToPlan(visit: Visit, held: HeldVisit | undefined, clinic: ClinicOfVisits, run: TimedRun): Plan {
  try {
    checkImportedStatus(visit, run.context.now, held?.appointment);
    checkKnown(visit, clinic);
    if (!held) return { visit, kind: 'insert', planned: planNewVisit(visit, clinic, run) };
    const plan = planKnownVisit(visit, held, clinic, run);
    if (plan === 'same') return { visit, kind: 'same', id: held.appointment.id };
    if (plan === 'move') return { visit, kind: 'move', before: held };
    const { change, isLonger, over } = plan;
    return isLonger ? { visit, kind: 'grow', before: held, change, over } : { visit, kind: 'change', change };
  } catch (error) {
    return { visit, kind: 'refused', error: asRefusal(error) };
  }
}

function checkKnown(visit: Visit, clinic: ClinicOfVisits): void {
  if (!clinic.professionals.has(visit.professionalId))
    throw fieldError('body.professionalId', 'The clinic has no professional with this ID.');
  serviceOf(visit, clinic);
}

function settledAlready(plan: Plan): [Visit, VisitOutcome][] {
  if (plan.kind === 'same') return [[plan.visit, { result: 'unchanged', id: plan.id }]];
  return plan.kind === 'refused' ? [[plan.visit, { result: 'refused', error: plan.error }]] : [];
}

function* pagesOf<Item>(items: readonly Item[]): Generator<Item[]> {
  for (let at = 0; at < items.length; at += PAGE) yield items.slice(at, at + PAGE);
}
