/** Node loads the suites by itself (`test/support/runner/`), so nothing is compiled. */
const native = {
  runtime: '<rootDir>/test/support/runner/native-runtime.ts',
  testEnvironment: '<rootDir>/test/support/runner/native-environment.ts',
  transform: {},
  injectGlobals: false,
};

const limits = {
  // Some wait while others compute. With more, the limits of a busy service are reached on a machine of two processors.
  maxWorkers: 3,
  // Of a test that hangs: a machine may be slow, and no test measures it.
  testTimeout: 300_000,
};

/** Suites that find a PostgreSQL and a Temporal server. */
const served = {
  ...native,
  globalSetup: '<rootDir>/test/global-setup.ts',
  globalTeardown: '<rootDir>/test/global-teardown.ts',
};

/** A configuration of such suites alone. */
export const servedSuites = (testMatch) => ({ ...served, ...limits, testMatch });

/** Those of `test/domain/` need no server, and start none. */
export default {
  ...limits,
  testSequencer: '<rootDir>/test/support/runner/longest-first.ts',
  projects: [
    {
      ...native,
      displayName: 'rules',
      roots: ['<rootDir>/domain', '<rootDir>/test/domain'],
      testMatch: ['**/*.test.ts'],
    },
    {
      ...served,
      displayName: 'service',
      testMatch: ['<rootDir>/test/**/!(*.long).test.ts'],
      testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/domain/'],
    },
  ],
};
