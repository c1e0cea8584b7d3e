import { findFreeSlots } from '../../commands/appointments/find-free-slots.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { findOffering } from '../../db/appointments/find-offering.ts';
import { answer, implement, type Route } from '../contract/implement.ts';
import { availabilityContracts } from './contract.ts';
import { presentFreeSlots } from './present.ts';

interface AvailabilityQuestion {
  tenantId: string;
  serviceTypeId: string;
  professionalId?: string | undefined;
  from: Date;
  to: Date;
}

export function availabilityRoutes(): Route[] {
  return implement(availabilityContracts, {
    findAvailability: async ({ query, caller, context, read }) => {
      const question = { ...query, tenantId: caller.tenantId };
      return answer(200, presentFreeSlots(await read((em) => freeSlotsFor(em, question, context.now))));
    },
  });
}

async function freeSlotsFor(em: EntityManager, question: AvailabilityQuestion, now: Date) {
  const { tenantId, serviceTypeId, professionalId, from, to } = question;
  const service = await findOffering(em, tenantId, serviceTypeId);
  if (!service) return [];
  const { tenantConfig } = service;
  const professionalIds = service.professionalIds.filter(
    (id) => professionalId === undefined || id === professionalId,
  );
  return findFreeSlots(
    em,
    { tenantId, tenantConfig, professionalIds, service, range: { from, until: to } },
    now,
  );
}
