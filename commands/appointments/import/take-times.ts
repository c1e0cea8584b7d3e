import type { ClinicOfVisits } from '../../../db/appointments/import/clinic-of-visits.ts';
import {
  giveUpTimes,
  markImported,
  type ChangedVisit,
  type HeldVisit,
} from '../../../db/appointments/import/write-visits.ts';
import type { EntityManager } from '../../../db/connection/open-database.ts';
import { inDependencyOrder } from '../../../domain/appointments/dependency-order.ts';
import type { BookedOver } from '../../../domain/appointments/taking-time.ts';
import { takesTime } from '../../../domain/appointments/appointment-status.ts';
import { bufferMinutesOf, slotFor, withOwnEnd, type TimeRange } from '../../../domain/appointments/slot.ts';
import { extendVisit, moveVisit, slotTaken } from './move-visit.ts';
import { serviceOf } from './plan-new-visit.ts';
import { asRefusal, inOrderOfTime, type ImportRun, type Visit, type VisitOutcome } from './visit.ts';

interface Move {
  kind: 'move';
  visit: Visit;
  before: HeldVisit;
}

interface Growth {
  kind: 'grow';
  visit: Visit;
  before: HeldVisit;
  change: ChangedVisit;
  over: BookedOver | undefined;
}

/** A change that needs a time which another appointment of the import may occupy. */
export type TimeTaker = Move | Growth;

/**
 * Moves and extends appointments. An appointment whose time another one needs is moved first, so that a whole afternoon
 * can be delayed. Appointments that swap their times are moved together or not at all.
 */
export async function takeTimes(
  em: EntityManager,
  takers: readonly TimeTaker[],
  clinic: ClinicOfVisits,
  run: ImportRun,
): Promise<[Visit, VisitOutcome][]> {
  const wanted = new Map(takers.map((taker) => [taker, timeOf(taker, clinic)]));
  const groups = inDependencyOrder(inOrderOfTime(takers), (one, other) => isInTheWay(other, wanted.get(one)));
  const outcomes: [Visit, VisitOutcome][] = [];
  for (const group of groups) outcomes.push(...(await takeTogether(em, group, run)));
  return outcomes;
}

interface TimeOfProfessional extends TimeRange {
  professionalId: string;
}

/** The professional and time that the change needs; undefined if it needs no time. */
function timeOf(taker: TimeTaker, clinic: ClinicOfVisits): TimeOfProfessional | undefined {
  const { visit, before } = taker;
  const { appointment } = before;
  const { professionalId, startsAt, endsAt, status = appointment.status } = visit;
  if (taker.kind === 'grow')
    return { professionalId, from: appointment.blockUntil, until: taker.change.row.blockUntil };
  if (!takesTime(status)) return undefined;
  const service = visit.serviceTypeId
    ? serviceOf(visit, clinic)
    : { durationMinutes: 0, bufferMinutes: bufferMinutesOf(appointment) };
  const ownEnd = endsAt ? { startsAt, endsAt } : appointment;
  const length = endsAt || appointment.ownLength ? withOwnEnd(service, ownEnd) : service;
  const { blockFrom: from, blockUntil: until } = slotFor(startsAt, length);
  return { professionalId, from, until };
}

/** Whether an appointment that will be moved still occupies part of this time. */
function isInTheWay(
  { kind, before: { appointment } }: TimeTaker,
  wanted: TimeOfProfessional | undefined,
): boolean {
  if (kind !== 'move' || !wanted) return false;
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
          group.map(({ before }) => before.appointment.id),
        );
      const taken: [Visit, VisitOutcome][] = [];
      for (current of group)
        taken.push([current.visit, { result: 'updated', id: await take(inner, current, run) }]);
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

async function take(em: EntityManager, taker: TimeTaker, run: ImportRun): Promise<string> {
  const { visit, before } = taker;
  if (taker.kind === 'grow') return extendVisit(em, before, { ...taker, takenBy: run.context.actor });
  const id = await moveVisit(em, visit, before.appointment, run);
  await markImported(em, run.tenantId, id);
  return id;
}
