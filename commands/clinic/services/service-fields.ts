import type { ServiceTypeRow } from '../../../db/entities/service-type.entity.ts';

/** What the clinic says of a service, as domain/clinic/service-rules.schema.ts allows it. */
export type ServiceFields = Pick<
  ServiceTypeRow,
  'name' | 'description' | 'durationMinutes' | 'bufferMinutes' | 'priceEur' | 'externalId' | 'active'
>;

/** Of a new one what nobody says. */
export const UNSAID_OF_SERVICE = {
  description: null,
  bufferMinutes: 0,
  priceEur: null,
  externalId: null,
  active: true,
} satisfies Partial<ServiceFields>;

/** What must be said of a new one. */
export type NewServiceFields = Pick<ServiceFields, 'name' | 'durationMinutes'> & Partial<ServiceFields>;
