/** Each deployment has one mode, `live` for real patients or `test` for a sandbox: docs/keys-and-scopes.md#modes */
export const SERVICE_MODES = ['live', 'test'] as const;
export type ServiceMode = (typeof SERVICE_MODES)[number];
