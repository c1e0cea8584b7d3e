/** docs/clinic-settings.md#fields */
export const SPECIALTIES = ['dental', 'medical', 'physio', 'aesthetic', 'other'] as const;
export type Specialty = (typeof SPECIALTIES)[number];

export const TENANT_PLANS = ['basic', 'pro', 'clinica_plus', 'enterprise'] as const;
export type TenantPlan = (typeof TENANT_PLANS)[number];

/**
 * Only `canceled` has effects: keys are refused (admit.ts), no one can sign in (sign-in.ts, use-session.ts) or book
 * online (clinic-of-guests.ts), open deliveries end (update-tenant.ts), and new deliveries are skipped
 * (insert-event.ts).
 */
export const TENANT_STATUSES = ['trial', 'active', 'past_due', 'canceled'] as const;
export type TenantStatus = (typeof TENANT_STATUSES)[number];
