import { findFreeSlots, offeredBy } from '../../commands/appointments/free-times/find-free-slots.ts';
import { searchFreeSlots, type FoundSlot } from '../../commands/appointments/free-times/search-free-slots.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { findOffering } from '../../db/appointments/find-offering.ts';
import type { FreeSlot } from '../../domain/appointments/availability.ts';
import type { TimeRange } from '../../domain/appointments/slot.ts';
import { fieldError } from '../../domain/service-error.ts';
import { answer, implement } from '../contract/implement.ts';
import type { HandlerRequest } from '../contract/route.ts';
import { presented } from '../../domain/presented.schema.ts';
import { presentPage } from '../contract/presented.ts';
import { availabilityContracts, slotCursor, USUAL_DAYS } from './contract.ts';
import { freeSlotSchema } from './free-slot.contract.ts';

const DAY_MS = 86_400_000;
const MAX_DAYS = 62;

type Question = HandlerRequest<typeof availabilityContracts.findAvailability>['query'] & { tenantId: string };
type Search = HandlerRequest<typeof availabilityContracts.searchAvailability>['body'];

export const availabilityRoutes = implement(availabilityContracts, () => ({
  findAvailability: async ({ query, caller, context, read }) => {
    const question = { ...query, tenantId: caller.tenantId };
    const slots = await read((em) => slotsOfPage(em, question, context.now));
    const page = presentPage(slots, query.limit, {
      encode: ({ startsAt, professionalId: id }) => slotCursor.encode({ startsAt, id }),
    });
    return answer(200, { ...page, items: page.items.map((slot) => presented(freeSlotSchema, slot)) });
  },
  searchAvailability: async ({ body, caller: { tenantId }, context: { now }, read }) => {
    const { limit = 3, spread = 'soonest', ...wanted } = body;
    const search = { ...wanted, tenantId, limit, spread, range: rangeOf(body, now) };
    const slots = await read((em) => searchFreeSlots(em, search, now));
    return answer(200, { items: slots.map(presentFoundSlot) });
  },
}));

/** The slots of a page, plus one more slot if there is another page. */
async function slotsOfPage(em: EntityManager, question: Question, now: Date): Promise<FreeSlot[]> {
  const { tenantId, serviceTypeId, professionalId, includeHeld, from, to, cursor, limit } = question;
  const offering = await findOffering(em, tenantId, serviceTypeId);
  if (!offering) return [];
  const [afterMs, afterId] = cursor ? [cursor.startsAt.getTime(), cursor.id] : [-Infinity, ''];
  const offers = [offeredBy(offering, professionalId === undefined ? undefined : [professionalId])];
  const wanted = { tenantId, tenantConfig: offering.tenantConfig, offers, includeHeld };
  const slots: FreeSlot[] = [];
  for (const range of weeksOf({ from: new Date(Math.max(from.getTime(), afterMs)), until: to })) {
    const free = Iterator.from(await findFreeSlots(em, { ...wanted, range }, now));
    // The slots after the last one shown.
    const left = free.filter((slot) => slot.startsAt.getTime() > afterMs || slot.professionalId > afterId);
    slots.push(...left.take(limit + 1 - slots.length));
    if (slots.length > limit) break;
  }
  return slots;
}

/** Reads a calendar week by week, because a month rarely fits on a page. */
function* weeksOf({ from, until }: TimeRange): Generator<TimeRange> {
  for (let start = from; start < until;) {
    const end = new Date(Math.min(start.getTime() + 7 * DAY_MS, until.getTime()));
    yield { from: start, until: end };
    start = end;
  }
}

/** @throws ServiceError 422 for an invalid or too long range */
function rangeOf({ from, to }: Search, now: Date) {
  const begins = from && from > now ? from : now;
  const until = to ?? new Date(begins.getTime() + USUAL_DAYS * DAY_MS);
  if (until <= (from ?? now)) throw fieldError('body.to', 'must be after `from`, and after now');
  if (until.getTime() - begins.getTime() > MAX_DAYS * DAY_MS)
    throw fieldError('body.to', `must be at most ${MAX_DAYS} days after \`from\`, or after now`);
  return { from: begins, until };
}

function presentFoundSlot(slot: FoundSlot) {
  const { serviceTypeId, professionalName, localStart, spoken } = slot;
  return { ...presented(freeSlotSchema, slot), professionalName, serviceTypeId, localStart, spoken };
}
