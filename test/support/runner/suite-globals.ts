import type * as JestGlobals from '@jest/globals';

export type SuiteGlobals = typeof JestGlobals;

/** What `@jest/globals` means in this process. Anyone who imported it sees, in each suite, the functions of that suite. */
export let { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } =
  {} as SuiteGlobals;

export function beginSuite(globals: SuiteGlobals): void {
  ({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } = globals);
}
