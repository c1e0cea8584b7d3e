import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';

export const ServiceTypeEntity = defineEntity({
  name: 'ServiceType',
  tableName: 'service_type',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    /** The service's id in the clinic's other system. */
    externalId: p.text().strictNullable(),
    name: p.text(),
    description: p.text().strictNullable(),
    durationMinutes: p.integer(),
    bufferMinutes: p.integer().default(0),
    /** Decimal text with two decimals, as PostgreSQL's numeric(10,2) prints it. */
    priceEur: p.decimal('string').precision(10).scale(2).strictNullable(),
    active: p.boolean().default(true),
    createdAt: p.datetime(3).defaultRaw('now()'),
    updatedAt: p.datetime(3).defaultRaw('now()'),
  },
});
export type ServiceTypeRow = InferEntity<typeof ServiceTypeEntity>;
