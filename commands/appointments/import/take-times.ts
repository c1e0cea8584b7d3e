import type { ClinicOfVisits } from '../../../db/appointments/import/clinic-of-visits.ts';
import {
  giveUpTimes,
  markImported,
  type ChangedVisit,
  type HeldVisit,
} from '../../../db/appointments/import/write-visits.ts';
import type { EntityManager } from '../../../db/connection/open-database.ts';
import { inDependencyOrder } from '../../../domain/appointments/dependency-order.ts';
import { bookedOver, type BookedOver } from '../../../domain/appointments/taking-time.ts';
import { takesTime } from '../../../domain/appointments/appointment-status.ts';
import { bufferMinutesOf, slotFor, withOwnEnd, type TimeRange } from '../../../domain/appointments/slot.ts';
import { insertPage, type Insert } from './insert-visits.ts';
import { extendVisit, moveVisit, slotTaken } from './move-visit.ts';
import { serviceOf } from './plan-new-visit.ts';
import { asRefusal, inOrderOfTime, type ImportRun, type Visit, type VisitOutcome } from './visit.ts';

export interface Move {
  kind: 'move';
  visit: Visit;
  before: HeldVisit;
}

export interface Growth {
  kind: 'grow';
  visit: Visit;
  before: HeldVisit;
  change: ChangedVisit;
  over: BookedOver | undefined;
}

/** What needs a time which another appointment of the import may occupy. */
type TimeTaker = Move | Growth | Insert;

/**
 * Moves and extends appointments, and inserts those over which others are moved; their outcomes are returned too. An
 * appointment whose time another one needs is moved first, so that a whole afternoon can be delayed. One that may
 * overlap others comes after those beneath it, because these need free time. Appointments that swap their times are
 * moved together or not at all.
 */
export async function takeTimes(
  em: EntityManager,
  { takers, inserts }: { takers: readonly (Move | Growth)[]; inserts: readonly Insert[] },
  clinic: ClinicOfVisits,
  run: ImportRun,
): Promise<[Visit, VisitOutcome][]> {
  const wanted = new Map<TimeTaker, WantedTime | undefined>();
  for (const taker of [...takers, ...inserts]) wanted.set(taker, timeOf(taker, clinic, run.context.now));
  const isOver = (taker: TimeTaker) => wanted.get(taker)?.over !== undefined;
  const over = takers.filter(isOver).map((taker) => wanted.get(taker));
  const beneath = inserts.filter((insert) => over.some((time) => isBeneath(wanted.get(insert), time)));
  const groups = inDependencyOrder(inOrderOfTime([...takers, ...beneath]), (one, other) => {
    const time = wanted.get(one);
    return isInTheWay(other, time) || isBeneath(wanted.get(other), time);
  });
  const outcomes: [Visit, VisitOutcome][] = [];
  for (const group of groups) {
    const plainFirst = group.toSorted((one, other) => Number(isOver(one)) - Number(isOver(other)));
    outcomes.push(...(await takeTogether(em, plainFirst, run)));
  }
  return outcomes;
}

interface WantedTime extends TimeRange {
  professionalId: string;
  over: BookedOver | undefined;
}

/** The professional and time that the change needs; undefined if it needs no time. */
function timeOf(taker: TimeTaker, clinic: ClinicOfVisits, now: Date): WantedTime | undefined {
  if (taker.kind === 'insert') return timeOfInsert(taker);
  const { visit, before } = taker;
  const { appointment } = before;
  const { professionalId, startsAt, endsAt, status = appointment.status } = visit;
  if (taker.kind === 'grow')
    return {
      professionalId,
      from: appointment.blockUntil,
      until: taker.change.row.blockUntil,
      over: taker.over,
    };
  if (!takesTime(status)) return undefined;
  const service = visit.serviceTypeId
    ? serviceOf(visit, clinic)
    : { durationMinutes: 0, bufferMinutes: bufferMinutesOf(appointment) };
  const ownEnd = endsAt ? { startsAt, endsAt } : appointment;
  const length = endsAt || appointment.ownLength ? withOwnEnd(service, ownEnd) : service;
  const slot = slotFor(startsAt, length);
  const over = bookedOver(visit.overlap, slot.endsAt <= now);
  return { professionalId, from: slot.blockFrom, until: slot.blockUntil, over };
}

function timeOfInsert({ planned: { row } }: Insert): WantedTime | undefined {
  const { professionalId, blockFrom: from, blockUntil: until, blocks } = row;
  return blocks ? { professionalId, from, until, over: undefined } : undefined;
}

/** Whether `time` is booked over `other`, which must therefore be taken first: it needs free time. */
function isBeneath(other: WantedTime | undefined, time: WantedTime | undefined): boolean {
  if (!other || !time || time.over === undefined || other.over !== undefined) return false;
  return other.professionalId === time.professionalId && other.from < time.until && time.from < other.until;
}

/** Whether an appointment that will be moved still occupies part of this time. */
function isInTheWay(taker: TimeTaker, wanted: WantedTime | undefined): boolean {
  if (taker.kind !== 'move' || !wanted) return false;
  const { appointment } = taker.before;
  if (!appointment.blocks && !appointment.blocksOver) return false;
  const { professionalId, blockFrom, blockUntil } = appointment;
  return professionalId === wanted.professionalId && blockFrom < wanted.until && wanted.from < blockUntil;
}

/** Makes the changes of a group in one transaction; one refusal undoes all of them. */
async function takeTogether(
  em: EntityManager,
  group: readonly TimeTaker[],
  run: ImportRun,
): Promise<[Visit, VisitOutcome][]> {
  let current: TimeTaker | undefined;
  try {
    return await em.transactional(async (inner) => {
      if (group.length > 1)
        await giveUpTimes(
          inner,
          run.tenantId,
          group.flatMap((taker) => (taker.kind === 'insert' ? [] : taker.before.appointment.id)),
        );
      const taken: [Visit, VisitOutcome][] = [];
      for (current of group) taken.push([current.visit, await take(inner, current, run)]);
      return taken;
    });
  } catch (error) {
    const refusal = asRefusal(error);
    return group.map((taker) => [
      taker.visit,
      { result: 'refused', error: taker === current ? refusal : slotTaken() },
    ]);
  }
}

async function take(em: EntityManager, taker: TimeTaker, run: ImportRun): Promise<VisitOutcome> {
  if (taker.kind === 'insert') {
    const [inserted] = await insertPage(em, [taker], run);
    const outcome = inserted?.[1] ?? { result: 'refused', error: slotTaken() };
    if (outcome.result === 'refused') throw outcome.error;
    return outcome;
  }
  const { visit, before } = taker;
  if (taker.kind === 'grow') {
    const takenBy = run.context.actor;
    return { result: 'updated', id: await extendVisit(em, before, { ...taker, takenBy }) };
  }
  const id = await moveVisit(em, visit, before.appointment, run);
  await markImported(em, run.tenantId, id);
  return { result: 'updated', id };
}
