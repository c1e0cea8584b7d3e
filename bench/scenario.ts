import type { Receiver } from './receiver/start-receiver.ts';
import type { Service } from './service/start-service.ts';

/** One row of figures of one round; the names of the columns give the units. */
export type Row = Record<string, number>;
/** Row by row: one for each case that is measured. */
export type Table = Record<string, Row>;

export interface Bench {
  service: Service;
  receiver: Receiver;
  /** Signed HTTPS requests a second that a bare process sends on this machine, in this run. */
  barePosts: number;
  /** A full count, or what stands in for it in a quick run. */
  size(full: number, quick: number): number;
  /** Undone after the scenario, last first. */
  resources: AsyncDisposableStack;
}

export interface Stage {
  /** What it needs beforehand, done once. */
  prepare?(): Promise<void>;
  /** There is no end of its work to wait for: the worker stands still, or the load goes on with the next stage. */
  leavesRest?: true;
  /** Its time does not come back. */
  isOnce?: true;
  /** Measured as often as there are repeats unless it is once, in turn with the other checkout. */
  round(): Promise<Table>;
}

/** It measures and judges nothing: no figure is too bad for it. */
export interface Scenario {
  name: string;
  title: string;
  /** What is measured, in a sentence or two, for the reader of the table. */
  about: string;
  /** Only when asked for by name. */
  isLong?: true;
  /** A service of its own with these settings; else the scenario shares one with the others. */
  environment?: NodeJS.ProcessEnv;
  prepare(bench: Bench): Promise<Stage[]>;
}
