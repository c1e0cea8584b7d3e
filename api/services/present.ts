import type { ServiceTypeRow } from '../../db/entities/service-type.entity.ts';

/** Nobody listed as eligible means everybody: docs/clinic-settings.md#professionals-and-services */
export function presentService(row: ServiceTypeRow, eligibleProfessionalIds: readonly string[]) {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    durationMinutes: row.durationMinutes,
    bufferMinutes: row.bufferMinutes,
    priceEur: row.priceEur,
    eligibleProfessionalIds: [...eligibleProfessionalIds],
    active: row.active,
  };
}
