import type { Scenario } from './scenario.ts';
import { availability } from './scenarios/availability.ts';
import { badNeighbour } from './scenarios/bad-neighbour.ts';
import { burstScenario } from './scenarios/burst.ts';
import { distantReceiver } from './scenarios/distant-receiver.ts';
import { growth } from './scenarios/growth.ts';
import { hangingReceiver } from './scenarios/hanging-receiver.ts';
import { httpScenario } from './scenarios/http.ts';
import { killed } from './scenarios/killed.ts';
import { importScenario } from './scenarios/import.ts';
import { lists } from './scenarios/lists.ts';
import { noShowTimers } from './scenarios/no-show-timers.ts';
import { openLoopScenario } from './scenarios/open-loop.ts';
import { openTimers } from './scenarios/open-timers.ts';
import { pages } from './scenarios/pages.ts';
import { pruning } from './scenarios/pruning.ts';
import { reception } from './scenarios/reception.ts';
import { manyRetriesDue, retriesDue } from './scenarios/retries-due.ts';
import { soak } from './scenarios/soak.ts';
import { steadyBookings } from './scenarios/steady-bookings.ts';
import { temporalAway } from './scenarios/temporal-away.ts';
import { yearReconcile, yearRetention } from './scenarios/year-at-work.ts';
import { year } from './scenarios/year.ts';

/** In their order: the killed processes are followed by all that the new ones' memory should tell of. */
export const SCENARIOS: Scenario[] = [
  killed,
  openLoopScenario,
  steadyBookings,
  burstScenario,
  distantReceiver,
  hangingReceiver,
  temporalAway,
  noShowTimers,
  httpScenario,
  lists,
  availability,
  reception,
  importScenario,
  pages,
  badNeighbour,
  growth,
  openTimers,
  pruning,
  retriesDue,
  manyRetriesDue,
  soak,
  year,
  yearReconcile,
  yearRetention,
];

/** @throws TypeError for an unknown name */
export function chooseScenarios(names: readonly string[]): Scenario[] {
  if (names.length === 0) return SCENARIOS.filter(({ isLong }) => isLong !== true);
  const unknown = names.filter((name) => !SCENARIOS.some((scenario) => scenario.name === name));
  const known = SCENARIOS.map(({ name }) => name).join(', ');
  if (unknown.length > 0) throw new TypeError(`no scenario ${unknown.join(', ')}; there are ${known}`);
  return SCENARIOS.filter(({ name }) => names.includes(name));
}
