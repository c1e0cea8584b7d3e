/** A write scope does not imply its read scope: docs/keys-and-scopes.md#scopes */
export const SCOPES = [
  'tenant:read',
  'tenant:write',
  'appointments:read',
  'appointments:write',
  'appointments:source',
  'professionals:read',
  'professionals:write',
  'services:read',
  'services:write',
  'calls:read',
  'recordings:read',
  'calls:write',
  'patients:read',
  'patients:erase',
  'webhooks:read',
  'webhooks:write',
  'keys:write',
] as const;
export type Scope = (typeof SCOPES)[number];

const PMS: readonly Scope[] = [
  'tenant:read',
  'appointments:read',
  'professionals:read',
  'services:read',
  'calls:read',
  'recordings:read',
  'webhooks:read',
  'appointments:write',
  'appointments:source',
  'professionals:write',
  'services:write',
  'webhooks:write',
];

export const SCOPE_PRESETS = {
  pms: PMS,
  // A whole record of a patient is more than a report needs.
  reporting: SCOPES.filter((scope) => scope.endsWith(':read') && scope !== 'patients:read'),
  everything: SCOPES,
} as const satisfies Record<string, readonly Scope[]>;
export const PRESETS = ['pms', 'reporting', 'everything'] as const satisfies (keyof typeof SCOPE_PRESETS)[];

/** Whether these scopes include the needed ones. @param held null: unrestricted */
export function hasScopes(held: readonly Scope[] | null, needed: readonly Scope[]): boolean {
  return held === null || needed.every((scope) => held.includes(scope));
}
