/** The known key for which null is a value. */
const NULLABLE_KEY = 'fallbackHumanNumber';

type Config = Readonly<Record<string, unknown>>;

/** Given keys are replaced as a whole; null removes a key: docs/clinic-settings.md#changing-settings */
export function mergeConfig(config: Config, patch: Config): Record<string, unknown> {
  const entries = Object.entries({ ...config, ...patch });
  return Object.fromEntries(
    entries.filter(([key, value]) => value !== null || key === NULLABLE_KEY || !(key in patch)),
  );
}
