import { findFreeSlots, offeredBy } from '../../commands/appointments/free-times/find-free-slots.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { findOffering } from '../../db/appointments/find-offering.ts';
import type { FreeSlot } from '../../domain/appointments/availability.ts';
import type { TimeRange } from '../../domain/appointments/slot.ts';
import { answer, implement, type HandlerRequest, type Route } from '../contract/implement.ts';
import { presentPage } from '../contract/present-page.ts';
import { availabilityContracts, slotCursor } from './contract.ts';
import { presentFreeSlot } from './present.ts';

const WEEK_MS = 7 * 86_400_000;

type Question = HandlerRequest<(typeof availabilityContracts)['findAvailability']>['query'] & {
  tenantId: string;
};

export function availabilityRoutes(): Route[] {
  return implement(availabilityContracts, {
    findAvailability: async ({ query, caller, context, read }) => {
      const question = { ...query, tenantId: caller.tenantId };
      const slots = await read((em) => slotsOfPage(em, question, context.now));
      const page = presentPage(slots, query.limit, ({ startsAt, professionalId }) =>
        slotCursor.encode([startsAt.getTime(), professionalId]),
      );
      return answer(200, { ...page, items: page.items.map(presentFreeSlot) });
    },
  });
}

/** Those of a page and the one behind them, if there is one. */
async function slotsOfPage(em: EntityManager, question: Question, now: Date): Promise<FreeSlot[]> {
  const { tenantId, serviceTypeId, professionalId, includeHeld, from, to, cursor, limit } = question;
  const offering = await findOffering(em, tenantId, serviceTypeId);
  if (!offering) return [];
  const [afterMs, afterId] = cursor ?? [-Infinity, ''];
  const offers = [offeredBy(offering, professionalId === undefined ? undefined : [professionalId])];
  const wanted = { tenantId, tenantConfig: offering.tenantConfig, offers, includeHeld };
  const slots: FreeSlot[] = [];
  for (const range of weeksOf({ from: new Date(Math.max(from.getTime(), afterMs)), until: to })) {
    const free = Iterator.from(await findFreeSlots(em, { ...wanted, range }, now));
    // Those that stand behind the last one shown.
    const left = free.filter((slot) => slot.startsAt.getTime() > afterMs || slot.professionalId > afterId);
    slots.push(...left.take(limit + 1 - slots.length));
    if (slots.length > limit) break;
  }
  return slots;
}

/** A calendar is read week by week, because a month of it seldom fits a page. */
function* weeksOf({ from, until }: TimeRange): Generator<TimeRange> {
  for (let start = from; start < until;) {
    const end = new Date(Math.min(start.getTime() + WEEK_MS, until.getTime()));
    yield { from: start, until: end };
    start = end;
  }
}
