import { hasScopes, type Scope } from '../clinic/api-scopes.ts';

/** The roles that the identity provider assigns; support belongs to the service, the others to one clinic. */
export const PERSON_ROLES = ['owner', 'manager', 'reception', 'support'] as const;
export type PersonRole = (typeof PERSON_ROLES)[number];

/** All roles. `portal`: someone who opened a portal link. */
export const ROLES = [...PERSON_ROLES, 'portal'] as const;
export type Role = (typeof ROLES)[number];

/** The subjects of dashboard pages. */
export type Permission =
  | 'overview'
  | 'appointments'
  | 'calls'
  | 'webhooks'
  | 'webhook_changes'
  | 'keys'
  | 'settings'
  | 'audit'
  | 'patient_data'
  | 'own_sessions'
  | 'support';

const STAFF = ['owner', 'manager', 'reception'] as const;
const MANAGERS = ['owner', 'manager'] as const;

/** docs/dashboard.md#who-may-do-what */
const ROLES_WITH: Readonly<Record<Permission, readonly Role[]>> = {
  overview: STAFF,
  appointments: STAFF,
  calls: STAFF,
  webhooks: [...MANAGERS, 'portal'],
  webhook_changes: [...MANAGERS, 'portal'],
  keys: MANAGERS,
  settings: MANAGERS,
  audit: ['owner'],
  // Exporting and erasing a patient.
  patient_data: ['owner'],
  own_sessions: [...STAFF, 'support'],
  // Across clinics; a patient is shown only on request, which is audited: `dashboard/support/`.
  support: ['support'],
};
export const PERMISSIONS = Object.keys(ROLES_WITH) as Permission[];

/** The scopes that an API key needs for the same permission. */
const SCOPES_FOR: Readonly<Partial<Record<Permission, readonly Scope[]>>> = {
  webhooks: ['webhooks:read'],
  webhook_changes: ['webhooks:write'],
};

/** The rights of a signed-in person. */
export interface Rights {
  role: Role;
  /** The scopes of the key that created the portal link; null: no key, so unrestricted. */
  scopes: readonly Scope[] | null;
}

export function mayUse({ role, scopes }: Rights, permission: Permission): boolean {
  return isForRole(role, permission) && hasScopes(scopes, SCOPES_FOR[permission] ?? []);
}

export function isForRole(role: Role, permission: Permission): boolean {
  return ROLES_WITH[permission].includes(role);
}

export function toPersonRole(text: string): PersonRole | null {
  return PERSON_ROLES.find((role) => role === text) ?? null;
}
