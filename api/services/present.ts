import type { ServiceWithProfessionals } from '../../db/clinic/services.ts';
import { presented } from '../../domain/presented.schema.ts';
import { serviceSchema } from './contract.ts';

/** An empty list means that everyone offers it: docs/professionals.md#services */
export function presentService({ service, eligibleProfessionalIds }: ServiceWithProfessionals) {
  return presented(serviceSchema, { ...service, eligibleProfessionalIds });
}
