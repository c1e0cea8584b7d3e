import type { ServiceWithProfessionals } from '../../db/clinic/list-services.ts';

/** Nobody listed as eligible means everybody: docs/professionals.md#services */
export function presentService({ service: row, eligibleProfessionalIds }: ServiceWithProfessionals) {
  return {
    id: row.id,
    externalId: row.externalId,
    name: row.name,
    description: row.description,
    durationMinutes: row.durationMinutes,
    bufferMinutes: row.bufferMinutes,
    priceEur: row.priceEur,
    eligibleProfessionalIds,
    active: row.active,
  };
}
