import { holdSlot, releaseHold } from '../../commands/appointments/holds/hold-slot.ts';
import { requireFound } from '../../commands/require-found.ts';
import { findLiveHold } from '../../db/appointments/holds/find-holds.ts';
import { hasScope } from '../contract/caller.ts';
import { answer, implement } from '../contract/implement.ts';
import { presented } from '../contract/presented.ts';
import { holdSchema, slotHoldContracts } from './contract.ts';

export const slotHoldRoutes = implement(slotHoldContracts, () => ({
  holdSlot: async ({ body, caller, context, write }) => {
    const mayBackdate = hasScope(caller, 'appointments:source');
    const wanted = { ...body, tenantId: caller.tenantId, mayBackdate };
    const hold = await write((em) => holdSlot(em, wanted, context), { writesOnce: true });
    return answer(201, presented(holdSchema, hold), { Location: `/v1/slot-holds/${hold.id}` });
  },
  getSlotHold: async ({ path, caller: { tenantId }, read }) => {
    const hold = await read((em) => findLiveHold(em, tenantId, path.id));
    return answer(200, presented(holdSchema, requireFound(hold, 'hold', path.id)));
  },
  releaseSlotHold: async ({ path, caller: { tenantId }, write }) => {
    await write((em) => releaseHold(em, tenantId, path.id), { writesOnce: true });
    return answer(204, undefined);
  },
}));
