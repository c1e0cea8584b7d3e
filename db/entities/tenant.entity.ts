import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import type { Specialty, TenantPlan, TenantStatus } from '../../domain/clinic/tenant.ts';

export const TenantEntity = defineEntity({
  name: 'Tenant',
  tableName: 'tenant',
  properties: {
    id: p.uuid().primary(),
    identityOrgId: p.text(),
    name: p.text(),
    legalName: p.text().strictNullable(),
    nif: p.text().strictNullable(),
    address: p.text().strictNullable(),
    postalCode: p.text().strictNullable(),
    city: p.text().strictNullable(),
    country: p.text(),
    email: p.text().strictNullable(),
    phone: p.text().strictNullable(),
    specialty: p.text().$type<Specialty>(),
    publicSlug: p.text().strictNullable(),
    publicBookingEnabled: p.boolean().default(false),
    plan: p.text().$type<TenantPlan>().default('basic'),
    status: p.text().$type<TenantStatus>().default('trial'),
    trialEndsAt: p.datetime(3).strictNullable(),
    config: p.json<Record<string, unknown>>().defaultRaw(`'{}'`),
    referralCode: p.text().strictNullable(),
    requestsPerMinute: p.integer().default(3000),
    maxAppointments: p.integer().default(2_000_000),
    maxCalls: p.integer().default(1_000_000),
    maxRecordingGib: p.integer().default(200),
    createdAt: p.datetime(3).defaultRaw('now()'),
    updatedAt: p.datetime(3).defaultRaw('now()'),
  },
});
export type TenantRow = InferEntity<typeof TenantEntity>;
