import { defineEntity, p } from '@mikro-orm/postgresql';

/** The professionals who offer a service. A service without rows is offered by all professionals. */
export const ServiceEligibilityEntity = defineEntity({
  name: 'ServiceEligibility',
  tableName: 'service_eligibility',
  properties: {
    serviceTypeId: p.uuid().primary(),
    professionalId: p.uuid().primary(),
    tenantId: p.uuid(),
  },
});
