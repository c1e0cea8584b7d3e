import { PARTS, type Part, type RunningService } from '../data-directory/running-file.ts';
import { SupervisedProcess, type ProcessSpec, type Surroundings } from './supervised-process.ts';

/** The child processes of this instance, by name. What is started last is stopped first. */
export class Supervisor {
  /** Called each time a process serves again. */
  onReady: () => void = () => undefined;
  readonly #surroundings: Surroundings;
  readonly #stopping: AbortSignal;
  readonly #resources: AsyncDisposableStack;
  readonly #processes = new Map<Part, SupervisedProcess>();

  constructor(
    surroundings: Omit<Surroundings, 'onReady'>,
    stopping: AbortSignal,
    resources: AsyncDisposableStack,
  ) {
    this.#surroundings = { ...surroundings, onReady: () => this.onReady() };
    this.#stopping = stopping;
    this.#resources = resources;
  }

  /** Starts a process, unless it is someone else's (null), and waits until it serves. */
  async start(name: Part, spec: ProcessSpec | null): Promise<void> {
    if (spec === null) return;
    this.#stopping.throwIfAborted();
    const started = new SupervisedProcess(spec, this.#surroundings);
    this.#processes.set(name, started);
    this.#resources.defer(() => started.stop());
    await started.ready;
  }

  /** Ends processes that run; they are started again at once. */
  async restart(names: readonly Part[]): Promise<void> {
    const running = names.flatMap((name) => this.#processes.get(name) ?? []);
    await Promise.all(running.map((each) => each.restart()));
  }

  /** Null of those that do not run, or are someone else's. */
  pids(): RunningService['pids'] {
    const pids = PARTS.map((name) => [name, this.#processes.get(name)?.pid() ?? null]);
    return Object.fromEntries(pids) as RunningService['pids'];
  }
}
