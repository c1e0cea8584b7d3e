import { STANDARD_TIMINGS, type Timings } from '../../domain/timings.ts';
import type { EntityManager } from './statements.ts';

const TIMINGS = new WeakMap<EntityManager['config'], Timings>();

/** Sets the waiting times for commands and statements of this pool. */
export function giveTimings(em: EntityManager, timings: Timings): void {
  TIMINGS.set(em.config, timings);
}

/**
 * The service's waiting times. Only a few deeply nested functions need them, and only the sandbox changes them, so they
 * are attached to the opened database.
 */
export function timingsOf(em: EntityManager): Timings {
  return TIMINGS.get(em.config) ?? STANDARD_TIMINGS;
}
