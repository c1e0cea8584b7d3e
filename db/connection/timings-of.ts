import { STANDARD_TIMINGS, type Timings } from '../../domain/timings.ts';
import type { EntityManager } from './statements.ts';

const TIMINGS = new WeakMap<EntityManager['config'], Timings>();

/** From now on commands and statements of this pool wait for these times. */
export function giveTimings(em: EntityManager, timings: Timings): void {
  TIMINGS.set(em.config, timings);
}

/**
 * The waiting times of the service that this connection belongs to. Few functions need them, deep below commands, routes and
 * pages that do not, and only a sandbox changes them: so they come with the database that the process has opened.
 */
export function timingsOf(em: EntityManager): Timings {
  return TIMINGS.get(em.config) ?? STANDARD_TIMINGS;
}
