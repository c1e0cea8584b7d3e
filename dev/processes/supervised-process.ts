import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { isErrorCode } from '../../adapters/error-code.ts';
import { backoffDelay, pause } from '../../adapters/timing/pause.ts';
import type { Custody, GuardedProcess } from './guard.ts';
import { lastLines, withLog } from '../data-directory/log-file.ts';
import { hasEnded } from './until-ready.ts';

const RESTART_PAUSE_MS = { first: 200, longest: 10_000 };
/** After this time a process counts as healthy, and the backoff starts over. */
const HEALTHY_AFTER_MS = 30_000;

export type ProcessSpec = {
  name: string;
  spawn(log: number): ChildProcess;
  /** Rejects when the process ends before it is ready. */
  untilReady(child: ChildProcess): Promise<void>;
  stopSignal: GuardedProcess['signal'];
  stopLimitMs: number;
  stage: GuardedProcess['stage'];
  log: string;
};

export type HandlerContext = {
  custody: Custody;
  /** Called each time the process is ready. */
  onReady(): void;
  onRestart(reason: string): void;
  /** Called at most once, when the process cannot be started again. */
  onFailure(error: unknown): void;
};

/** Starts a process, and restarts it with backoff whenever it ends before `stop`. */
export class SupervisedProcess {
  readonly #spec: ProcessSpec;
  readonly #surroundings: HandlerContext;
  readonly #stopping = new AbortController();
  readonly #firstReady = Promise.withResolvers<void>();
  readonly #story: Promise<void>;
  #current: ChildProcess | null = null;
  #hasServed = false;
  /** Restarts since it was last healthy or restarted on purpose. */
  #restarts = 0;

  constructor(spec: ProcessSpec, surroundings: HandlerContext) {
    this.#spec = spec;
    this.#surroundings = surroundings;
    // No one handles a failed start while everything is being stopped.
    this.#firstReady.promise.catch(() => undefined);
    this.#story = this.#keepRunning().catch((error: unknown) => {
      this.#firstReady.reject(error);
      surroundings.onFailure(error);
    });
  }

  /** The pid; null while no process runs. */
  pid(): number | null {
    return this.#current === null || hasEnded(this.#current) ? null : (this.#current.pid ?? null);
  }

  /** Rejects when the first start fails; later failures cause restarts. */
  get ready(): Promise<void> {
    return this.#firstReady.promise;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    if (this.#current !== null) await endChild(this.#current, this.#spec.stopSignal, this.#spec.stopLimitMs);
    await this.#story;
  }

  /** Ends the process; it restarts at once. */
  async restart(): Promise<void> {
    this.#restarts = 0;
    if (this.#current !== null) await endChild(this.#current, this.#spec.stopSignal, this.#spec.stopLimitMs);
  }

  async #keepRunning(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const startedAt = Date.now();
      const ended = await this.#runOnce().catch((error: unknown) => this.#waitForRoom(error));
      if (Date.now() - startedAt > HEALTHY_AFTER_MS) this.#restarts = 0;
      await this.#pauseBeforeRestart(ended, backoffDelay(this.#restarts, RESTART_PAUSE_MS));
      this.#restarts += 1;
    }
  }

  /** Runs the process once and returns how it ended. */
  async #runOnce(): Promise<string> {
    const child = this.#launch();
    try {
      await this.#spec.untilReady(child);
      this.#hasServed = true;
      this.#firstReady.resolve();
    } catch (error) {
      await endChild(child, 'SIGKILL', 0);
      if (!this.#hasServed) throw startError(this.#spec, error);
    }
    if (!hasEnded(child)) {
      const ended = once(child, 'exit');
      this.#surroundings.onReady();
      await ended;
    }
    return ending(child);
  }

  /** Waits after a process that could not be recorded, which passes. @throws any other error */
  async #waitForRoom(error: unknown): Promise<string> {
    if (!this.#hasServed || !isErrorCode(error, 'ENOSPC', 'EDQUOT')) throw error;
    const { stopSignal, stopLimitMs } = this.#spec;
    if (this.#current !== null) await endChild(this.#current, stopSignal, stopLimitMs);
    return 'cannot run while the disk is full';
  }

  async #pauseBeforeRestart(ended: string, pauseMs: number): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    this.#surroundings.onRestart(`${this.#spec.name} ${ended}; starting it again`);
    await pause(pauseMs, this.#stopping.signal);
  }

  #launch(): ChildProcess {
    const child = withLog(this.#spec.log, (log) => this.#spec.spawn(log));
    this.#current = child;
    // A program that cannot run has no pid; `untilReady` handles it.
    child.on('error', () => undefined);
    if (child.pid !== undefined)
      this.#surroundings.custody.take(child.pid, this.#spec.stopSignal, this.#spec.stage);
    return child;
  }
}

async function endChild(child: ChildProcess, signal: NodeJS.Signals, limitMs: number): Promise<void> {
  if (hasEnded(child)) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  const timer = setTimeout(() => child.kill('SIGKILL'), limitMs);
  await ended;
  clearTimeout(timer);
}

function ending({ signalCode, exitCode }: ChildProcess): string {
  return signalCode === null ? `ended with status ${exitCode}` : `was ended by ${signalCode}`;
}

function startError({ name, log }: ProcessSpec, cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new Error(`${name} did not start (${reason}). The end of ${log}:\n${lastLines(log, 15)}`, { cause });
}
