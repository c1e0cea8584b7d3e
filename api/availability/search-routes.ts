import { searchFreeSlots, type FoundSlot } from '../../commands/appointments/free-times/search-free-slots.ts';
import { fieldError } from '../../domain/service-error.ts';
import { answer, implement, type HandlerRequest, type Route } from '../contract/implement.ts';
import { presentFreeSlot } from './present.ts';
import { slotSearchContracts } from './search.contract.ts';

const DAY_MS = 86_400_000;
const USUAL_DAYS = 14;
const MOST_DAYS = 62;

type Body = HandlerRequest<(typeof slotSearchContracts)['searchAvailability']>['body'];

export function slotSearchRoutes(): Route[] {
  return implement(slotSearchContracts, {
    searchAvailability: async ({ body, caller: { tenantId }, context: { now }, read }) => {
      const { limit = 3, spread = 'soonest', ...wanted } = body;
      const search = { ...wanted, tenantId, limit, spread, range: rangeOf(body, now) };
      const slots = await read((em) => searchFreeSlots(em, search, now));
      return answer(200, { items: slots.map(presentFoundSlot) });
    },
  });
}

/** @throws ServiceError 422 for a range that is none or too long */
function rangeOf({ from, to }: Body, now: Date) {
  const begins = from && from > now ? from : now;
  const until = to ?? new Date(begins.getTime() + USUAL_DAYS * DAY_MS);
  if (until <= (from ?? now)) throw fieldError('body.to', 'must lie after from, or after now.');
  if (until.getTime() - begins.getTime() > MOST_DAYS * DAY_MS)
    throw fieldError('body.to', `must lie at most ${MOST_DAYS} days after from, or after now.`);
  return { from: begins, until };
}

function presentFoundSlot(slot: FoundSlot) {
  const { serviceTypeId, professionalName, localStart, spoken } = slot;
  return { ...presentFreeSlot(slot), professionalName, serviceTypeId, localStart, spoken };
}
