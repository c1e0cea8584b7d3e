import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import type jestRuntime from 'jest-runtime';
import { beginSuite, type SuiteGlobals } from './suite-globals.ts';

const SUITE_GLOBALS = new URL('suite-globals.ts', import.meta.url).href;
const require = createRequire(import.meta.url);
const { default: JestRuntime } = require('jest-runtime') as typeof jestRuntime;
const { getBuiltinModule } = process;

registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === '@jest/globals' ? SUITE_GLOBALS : specifier, context),
});

/**
 * How Jest loads suites here: by Node itself, as production loads its modules. Jest's own way compiles every module again for every
 * suite, which took as long as the tests. So modules are loaded once for each worker of Jest and shared by its suites: what a suite
 * changes outside itself (the environment, the clock) it puts back. Modules cannot be mocked. `runtime` stands in no document of
 * Jest, so a new version of Jest may ask for changes here.
 */
export default class NativeRuntime extends JestRuntime {
  constructor(...args: ConstructorParameters<typeof JestRuntime>) {
    super(...args);
    // Jest put its own there, meant for a sandbox, which would hand out modules of the first suite for good.
    process.getBuiltinModule = getBuiltinModule;
  }

  override unstable_shouldLoadAsEsm(): boolean {
    return true;
  }

  override async unstable_importModule(path: string): Promise<unknown> {
    // Jest has put its own there, which takes most of the time of an error: it looks for source maps, and native suites have none.
    Reflect.deleteProperty(Error, 'prepareStackTrace');
    beginSuite(this.requireModuleOrMock<SuiteGlobals>(path, '@jest/globals'));
    return import(pathToFileURL(path).href);
  }

  /** What runs the tests of one suite: made again, for it keeps their list. */
  override requireInternalModule<T>(path: string): T {
    delete require.cache[path];
    Reflect.deleteProperty(globalThis, Symbol.for('EVENT_HANDLERS'));
    return require(path) as T;
  }
}
