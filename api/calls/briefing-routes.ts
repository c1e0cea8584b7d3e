import { requireFound } from '../../commands/require-found.ts';
import { findCallWithClinic, findNextAppointments } from '../../db/calls/find-briefing.ts';
import { WITHHELD } from '../../domain/calls/withheld-number.ts';
import { answer, implement } from '../contract/implement.ts';
import { briefingContracts } from './briefing.contract.ts';
import { presentBriefing } from './present-briefing.ts';

export const briefingRoutes = implement(briefingContracts, ({ numbers, phoneHash }) => ({
  getCallBriefing: async ({ path: { id }, caller: { tenantId }, context: { now }, read }) => {
    const seal = await numbers.of(tenantId);
    return read(async (em) => {
      const call = requireFound(await findCallWithClinic(em, { tenantId, id }), 'call', id);
      const { fromNumber } = seal.show(call);
      if (fromNumber === null || fromNumber === WITHHELD) return answer(200, presentBriefing(call, [], now));
      const hashes = phoneHash.every({ tenantId, e164: fromNumber });
      const next = await findNextAppointments(em, { tenantId, hashes, now });
      return answer(200, presentBriefing(call, next, now));
    });
  },
}));
