import { defineEntity, p } from '@mikro-orm/postgresql';

/** Who offers a service; one without rows is offered by everyone. */
export const ServiceEligibilityEntity = defineEntity({
  name: 'ServiceEligibility',
  tableName: 'service_eligibility',
  properties: {
    serviceTypeId: p.uuid().primary(),
    professionalId: p.uuid().primary(),
    tenantId: p.uuid(),
  },
});
