import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import type { Specialty, TenantPlan, TenantStatus } from '../../domain/tenant.ts';
import { millisecondInstant } from '../column-types.ts';

export const TenantEntity = defineEntity({
  name: 'Tenant',
  tableName: 'tenant',
  properties: {
    id: p.uuid().primary(),
    identityOrgId: p.text(),
    name: p.text(),
    legalName: p.text().nullable(),
    nif: p.text().nullable(),
    address: p.text().nullable(),
    postalCode: p.text().nullable(),
    city: p.text().nullable(),
    country: p.text(),
    email: p.text().nullable(),
    phone: p.text().nullable(),
    specialty: p.text().$type<Specialty>(),
    publicSlug: p.text().nullable(),
    publicBookingEnabled: p.boolean().default(false),
    plan: p.text().$type<TenantPlan>().default('basic'),
    status: p.text().$type<TenantStatus>().default('trial'),
    trialEndsAt: millisecondInstant().nullable(),
    config: p.json<Record<string, unknown>>(),
    referralCode: p.text().nullable(),
    createdAt: millisecondInstant().defaultRaw('now()'),
    updatedAt: millisecondInstant().defaultRaw('now()'),
  },
});
export type TenantRow = InferEntity<typeof TenantEntity>;
