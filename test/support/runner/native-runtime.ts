import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import type jestRuntime from 'jest-runtime';
import { closeAllOfSuite } from '../for-suite.ts';
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
 * Loads suites with Node's own module loader, as in production. Jest's own loader compiles every module again for every
 * suite, which took as long as the tests. So modules are loaded once per Jest worker and shared by its suites, which
 * must restore what they change (environment, clock). Modules cannot be mocked. Jest does not document `runtime`, so a
 * new version of Jest may need changes here.
 */
export default class NativeRuntime extends JestRuntime {
  constructor(...args: ConstructorParameters<typeof JestRuntime>) {
    super(...args);
    // Jest's own version would return modules of the first suite forever.
    process.getBuiltinModule = getBuiltinModule;
  }

  override unstable_shouldLoadAsEsm(): boolean {
    return true;
  }

  override async unstable_importModule(path: string): Promise<unknown> {
    // Jest's own version looks for source maps, which takes most of an error's time; there are none.
    Reflect.deleteProperty(Error, 'prepareStackTrace');
    const globals = this.requireModuleOrMock<SuiteGlobals>(path, '@jest/globals');
    beginSuite(globals);
    try {
      return await import(pathToFileURL(path).href);
    } catch (error) {
      await closeAllOfSuite();
      throw error;
    } finally {
      // The last of the suite's `afterAll`, so whatever they end still has what it stands on.
      globals.afterAll(closeAllOfSuite);
    }
  }

  /** The test runner of one suite is loaded again, because it keeps a list of tests. */
  override requireInternalModule<T>(path: string): T {
    delete require.cache[path];
    Reflect.deleteProperty(globalThis, Symbol.for('EVENT_HANDLERS'));
    return require(path) as T;
  }
}
