import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';
import type jestRuntime from 'jest-runtime';

type JestEnvironment = ConstructorParameters<typeof jestRuntime.default>[1];
type FakeTimersOptions = ConstructorParameters<typeof ModernFakeTimers>[0];

/** Uses the process's globals for a suite, and restores at its end what Jest changes. */
export default class NativeEnvironment implements JestEnvironment {
  readonly global = globalThis as unknown as JestEnvironment['global'];
  readonly moduleMocker = new ModuleMocker(globalThis);
  readonly fakeTimers = null;
  readonly fakeTimersModern: ModernFakeTimers;
  readonly #console = console;
  readonly #exit = process.exit;

  constructor({ projectConfig }: { projectConfig: FakeTimersOptions['config'] }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup(): Promise<void> {}

  async teardown(): Promise<void> {
    this.fakeTimersModern.dispose();
    globalThis.console = this.#console;
    process.exit = this.#exit;
  }

  getVmContext(): null {
    return null;
  }
}
