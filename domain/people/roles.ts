import { hasScopes, type Scope } from '../clinic/api-scopes.ts';

/** What the identity provider says a person is; support belongs to the service, the others to one clinic. */
export const PERSON_ROLES = ['owner', 'manager', 'reception', 'support'] as const;
export type PersonRole = (typeof PERSON_ROLES)[number];

/** `portal`: anyone who opened a one-time link that a PMS asked for. */
export const ROLES = [...PERSON_ROLES, 'portal'] as const;
export type Role = (typeof ROLES)[number];

/** What pages of the dashboard are about. */
export type Permission =
  | 'overview'
  | 'appointments'
  | 'calls'
  | 'webhooks'
  | 'webhook_changes'
  | 'keys'
  | 'settings'
  | 'audit'
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
  own_sessions: [...STAFF, 'support'],
  // Across clinics; a patient is shown there only when asked for, which is audited: `dashboard/support/`.
  support: ['support'],
};
export const PERMISSIONS = Object.keys(ROLES_WITH) as Permission[];

/** What a key of the API needs for the same. */
const SCOPES_FOR: Readonly<Partial<Record<Permission, readonly Scope[]>>> = {
  webhooks: ['webhooks:read'],
  webhook_changes: ['webhooks:write'],
};

/** Of anyone who is signed in. */
export interface Rights {
  role: Role;
  /** Of the key that made the portal link, beyond which it does not reach; null: of no key, so not bounded. */
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
