import type { ServiceWithProfessionals } from '../../db/clinic/services.ts';
import { presented } from '../../domain/presented.schema.ts';
import { serviceSchema } from './contract.ts';

/**
 * A service as in the API. An empty list of professionals means that all of them offer it:
 * docs/professionals.md#services
 */
export function presentService({ service, eligibleProfessionalIds }: ServiceWithProfessionals) {
  return presented(serviceSchema, { ...service, eligibleProfessionalIds });
}
