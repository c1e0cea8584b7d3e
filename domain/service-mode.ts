/** One deployment serves one mode: real patients (`live`) or a sandbox (`test`): docs/keys-and-scopes.md#modes */
export const SERVICE_MODES = ['live', 'test'] as const;
export type ServiceMode = (typeof SERVICE_MODES)[number];
