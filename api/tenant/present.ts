import type { TenantRow } from '../../db/entities/tenant.entity.ts';

/** A clinic as the API and the command line show it: docs/clinic-settings.md#fields */
export function presentTenant(row: TenantRow) {
  return {
    id: row.id,
    identityOrgId: row.identityOrgId,
    name: row.name,
    legalName: row.legalName,
    nif: row.nif,
    address: row.address,
    postalCode: row.postalCode,
    city: row.city,
    country: row.country,
    email: row.email,
    phone: row.phone,
    specialty: row.specialty,
    publicSlug: row.publicSlug,
    publicBookingEnabled: row.publicBookingEnabled,
    plan: row.plan,
    status: row.status,
    trialEndsAt: row.trialEndsAt?.toISOString() ?? null,
    config: row.config,
    referralCode: row.referralCode,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
