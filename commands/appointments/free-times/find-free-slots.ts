import { findBusyRanges, findHeldRanges, type BusyQuestion } from '../../../db/appointments/busy-ranges.ts';
import type { EntityManager } from '../../../db/connection/open-database.ts';
import {
  freeSlots,
  type FreeSlot,
  type ServiceLength,
  type TakenMs,
} from '../../../domain/appointments/availability.ts';
import { slotFor, type TimeRange } from '../../../domain/appointments/slot.ts';
import { withHold } from '../../../domain/appointments/with-hold.ts';
import { clinicHoursOf } from '../../../domain/clinic/hours/business-hours.ts';
import {
  isOpenThroughout,
  openRangesWithin,
  type OwnHours,
} from '../../../domain/clinic/hours/open-ranges.ts';

/** The longest time that a booking can occupy: a day of service and a day of buffer. */
const MAX_BLOCK_MS = 2 * 86_400_000;

/** A service, or only a length, with the professionals who offer it. */
export interface Offer extends ServiceLength {
  serviceTypeId: string | null;
  professionals: readonly (OwnHours & { id: string })[];
}

/** The offer limited to these professionals; unlimited by default. */
export function offeredBy<Each extends { id: string }, O extends { professionals: readonly Each[] }>(
  offer: O,
  professionalIds: readonly string[] | undefined,
): O {
  const professionals = offer.professionals.filter(({ id }) => professionalIds?.includes(id) ?? true);
  return { ...offer, professionals };
}

export interface SlotQuestion extends Pick<
  BusyQuestion,
  'tenantId' | 'range' | 'ignoreAppointmentId' | 'isForPatients'
> {
  tenantConfig: Record<string, unknown>;
  offers: readonly Offer[];
  /** Includes held slots, with `heldUntil`; left out by default. */
  includeHeld?: boolean | undefined;
}

/** Free slots of the offers that start within the range and after `now`, by start, then professional. */
export async function findFreeSlots(
  em: EntityManager,
  question: SlotQuestion,
  now: Date,
): Promise<Iterable<FreeSlot>> {
  const slotsWithin = await askForFreeSlots(em, question, now);
  return slotsWithin(question.range);
}

/**
 * Like `findFreeSlots`, but only for parts of the range, with one query. A search for evenings then does not compute
 * the slots of other hours.
 */
export async function askForFreeSlots(
  em: EntityManager,
  { tenantConfig, offers, ...question }: SlotQuestion,
  now: Date,
): Promise<(part: TimeRange) => Iterable<FreeSlot>> {
  const { range, includeHeld } = question;
  const ids = [...new Set(offers.flatMap(({ professionals }) => professionals.map(({ id }) => id)))];
  if (range.until <= range.from || ids.length === 0) return () => [];
  // The last slot, and the opening in which it lies, may end after the range.
  const until = new Date(range.until.getTime() + MAX_BLOCK_MS);
  const within = { from: range.from, until };
  const wanted = { ...question, professionalIds: ids, range: within };
  const busy = await findBusyRanges(em, wanted);
  const held = includeHeld ? await findHeldRanges(em, wanted) : null;
  const hours = clinicHoursOf(tenantConfig);
  return (part) => {
    const openOf = openRangesWithin(hours, part);
    const busyThen = new Map(ids.map((id) => [id, touching(busy.get(id) ?? [], part)]));
    const calendars = offers.flatMap(({ professionals, ...service }) =>
      professionals.map((professional) => ({
        professionalId: professional.id,
        service,
        open: openOf(professional).filter((opening) => opening.until > part.from),
        busy: busyThen.get(professional.id) ?? [],
      })),
    );
    const slots = freeSlots(calendars, part, now);
    return held ? slots.map((slot) => withHold(slot, held.get(slot.professionalId) ?? [])) : slots;
  };
}

/** The professionals of the offer who are free at exactly this time, whether or not a slot of the grid starts then. */
export async function findFreeAt(
  em: EntityManager,
  { tenantId, tenantConfig, offer }: Pick<SlotQuestion, 'tenantId' | 'tenantConfig'> & { offer: Offer },
  startsAt: Date,
): Promise<FreeSlot[]> {
  const { professionals, serviceTypeId } = offer;
  if (professionals.length === 0) return [];
  const slot = slotFor(startsAt, offer);
  const range = { from: slot.blockFrom, until: slot.blockUntil };
  const professionalIds = professionals.map(({ id }) => id);
  const busy = await findBusyRanges(em, { tenantId, professionalIds, range });
  const hours = clinicHoursOf(tenantConfig);
  const visit = { from: startsAt, until: slot.endsAt };
  return professionals
    .filter((one) => (busy.get(one.id) ?? []).length === 0 && isOpenThroughout(hours, one, visit))
    .map(({ id: professionalId }) => ({ professionalId, serviceTypeId, ...slot }));
}

/** Busy times that may block a slot starting within the part. */
function touching(busy: readonly TakenMs[], { from, until }: TimeRange): TakenMs[] {
  const latest = until.getTime() + MAX_BLOCK_MS;
  return busy.filter(([fromMs, untilMs]) => untilMs > from.getTime() && fromMs < latest);
}
