export const TEMPLATE_DATABASE = 'template_migrated';
export const TEST_TEMPORAL_NAMESPACE = 'clinic-test';

/** Environment variables that the global setup sets for every test. */
export type TestEnvironment = {
  /** Removed after the run. */
  TEST_DIRECTORY: string;
  /** A migrated database without rows; tests clone it. */
  TEST_TEMPLATE_URL: string;
  TEST_POSTGRES_LOG: string;
  TEST_TEMPORAL_ADDRESS: string;
  TEST_TIME_SKIPPING_PROGRAM: string;
};

export function testEnvironment(name: keyof TestEnvironment): string {
  const value = process.env[name];
  if (value === undefined)
    throw new Error(`${name} is not set: run this through Jest, whose global setup starts the servers`);
  return value;
}
