/** One deployment serves one mode: real patients (`live`) or a sandbox (`test`). CONTRACT: one deployment, one mode. */
export const SERVICE_MODES = ['live', 'test'] as const;
export type ServiceMode = (typeof SERVICE_MODES)[number];
