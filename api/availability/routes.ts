import { findFreeSlots, offeredBy } from '../../commands/appointments/free-times/find-free-slots.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { findOffering } from '../../db/appointments/find-offering.ts';
import type { FreeSlot } from '../../domain/appointments/availability.ts';
import { answer, implement, type HandlerRequest, type Route } from '../contract/implement.ts';
import { presentPage } from '../contract/present-page.ts';
import { availabilityContracts, slotCursor } from './contract.ts';
import { presentFreeSlot } from './present.ts';

type Question = HandlerRequest<(typeof availabilityContracts)['findAvailability']>['query'] & {
  tenantId: string;
};

export function availabilityRoutes(): Route[] {
  return implement(availabilityContracts, {
    findAvailability: async ({ query, caller, context, read }) => {
      const question = { ...query, tenantId: caller.tenantId };
      const slots = await read(async (em) => {
        const free = await freeSlotsFor(em, question, context.now);
        return free.take(query.limit + 1).toArray();
      });
      const page = presentPage(slots, query.limit, ({ startsAt, professionalId }) =>
        slotCursor.encode([startsAt.getTime(), professionalId]),
      );
      return answer(200, { ...page, items: page.items.map(presentFreeSlot) });
    },
  });
}

async function freeSlotsFor(
  em: EntityManager,
  question: Question,
  now: Date,
): Promise<IteratorObject<FreeSlot>> {
  const { tenantId, serviceTypeId, professionalId, includeHeld, from, to, cursor } = question;
  const offering = await findOffering(em, tenantId, serviceTypeId);
  if (!offering) return Iterator.from([]);
  const [afterMs, afterId] = cursor ?? [-Infinity, ''];
  const range = { from: new Date(Math.max(from.getTime(), afterMs)), until: to };
  const offers = [offeredBy(offering, professionalId === undefined ? undefined : [professionalId])];
  const wanted = { tenantId, tenantConfig: offering.tenantConfig, offers, range, includeHeld };
  const slots = Iterator.from(await findFreeSlots(em, wanted, now));
  // Those that stand behind the last one shown.
  return slots.filter((slot) => slot.startsAt.getTime() > afterMs || slot.professionalId > afterId);
}
