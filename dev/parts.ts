import { rmSync } from 'node:fs';
import type { Custody } from './processes/custody.ts';
import type { Report } from './report.ts';
import { writeRunningFile, type Announcement, type RunningService } from './data-directory/running-file.ts';
import { SupervisedProcess, type ProcessSpec } from './processes/supervised-process.ts';

type PartName = keyof RunningService['pids'];

/** The child processes of this instance. What is started last is stopped first. */
export class Parts {
  readonly #custody: Custody;
  readonly #report: Report;
  readonly #stopping: AbortSignal;
  readonly #resources: AsyncDisposableStack;
  readonly #processes: Partial<Record<PartName, SupervisedProcess>> = {};
  #rewriteRunningFile: () => void = () => undefined;

  constructor(custody: Custody, report: Report, stopping: AbortSignal, resources: AsyncDisposableStack) {
    this.#custody = custody;
    this.#report = report;
    this.#stopping = stopping;
    this.#resources = resources;
  }

  /** Starts a part, unless it is someone else's (null), and waits until it serves. */
  async start(name: PartName, spec: ProcessSpec | null): Promise<void> {
    if (spec === null) return;
    this.#stopping.throwIfAborted();
    const part = new SupervisedProcess(spec, {
      custody: this.#custody,
      onReady: () => this.#rewriteRunningFile(),
      onRestart: (reason) => this.#report.line(reason),
    });
    this.#processes[name] = part;
    this.#resources.defer(() => part.stop());
    await part.ready;
  }

  /** Writes running.json now and whenever a part has been started again; it goes away when stopping begins. */
  announce(path: string, announcement: Announcement): void {
    this.#stopping.throwIfAborted();
    this.#rewriteRunningFile = () => writeRunningFile(path, { ...announcement, pids: this.#pids() });
    this.#rewriteRunningFile();
    this.#resources.defer(() => {
      this.#rewriteRunningFile = () => undefined;
      rmSync(path, { force: true });
    });
  }

  #pids(): RunningService['pids'] {
    const pidOf = (name: PartName): number | null => this.#processes[name]?.pid() ?? null;
    return {
      api: pidOf('api'),
      worker: pidOf('worker'),
      temporal: pidOf('temporal'),
      postgres: pidOf('postgres'),
    };
  }
}
