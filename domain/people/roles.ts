/** What the identity provider says a person is; support belongs to the service, the others to one clinic. */
export const PERSON_ROLES = ['owner', 'manager', 'reception', 'support'] as const;
export type PersonRole = (typeof PERSON_ROLES)[number];

/** `portal`: whoever opened a one-time link that a PMS asked for. */
export const ROLES = [...PERSON_ROLES, 'portal'] as const;
export type Role = (typeof ROLES)[number];

/** What pages of the dashboard are about. */
export const PERMISSIONS = [
  'overview',
  'appointments',
  'calls',
  'webhooks',
  'keys',
  'settings',
  'audit',
  'support',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** docs/dashboard.md#who-may-do-what */
const PERMISSIONS_OF: Readonly<Record<Role, readonly Permission[]>> = {
  owner: ['overview', 'appointments', 'calls', 'webhooks', 'keys', 'settings', 'audit'],
  manager: ['overview', 'appointments', 'calls', 'webhooks', 'keys', 'settings'],
  reception: ['overview', 'appointments', 'calls'],
  support: ['support'],
  portal: ['webhooks'],
};

export function mayUse(role: Role, permission: Permission): boolean {
  return PERMISSIONS_OF[role].includes(permission);
}

export function toPersonRole(text: string): PersonRole | null {
  return PERSON_ROLES.find((role) => role === text) ?? null;
}
