/** Tests are ES modules compiled by swc; run them through `npm test`, which gives Node the flag that Jest needs for that. */
export default {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/test/**/!(*.long).test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2024' },
        module: { type: 'es6' },
      },
    ],
  },
  globalSetup: '<rootDir>/test/global-setup.ts',
  globalTeardown: '<rootDir>/test/global-teardown.ts',
  // Some wait while others compute. With more, the limits of a busy service are reached on a machine of two processors.
  maxWorkers: 3,
  // Of a test that hangs: a machine may be slow, and no test measures it.
  testTimeout: 300_000,
};
