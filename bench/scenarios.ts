import type { Scenario } from './scenario.ts';
import { burstScenario } from './scenarios/burst.ts';
import { hangingReceiver } from './scenarios/hanging-receiver.ts';
import { httpScenario } from './scenarios/http.ts';
import { killed } from './scenarios/killed.ts';
import { openLoopScenario } from './scenarios/open-loop.ts';
import { reception } from './scenarios/reception.ts';
import { retriesDue } from './scenarios/retries-due.ts';
import { steadyBookings } from './scenarios/steady-bookings.ts';

/** In the order of a run. `killed` is first, so that memory is measured of the processes that it restarted. */
export const SCENARIOS: Scenario[] = [
  killed,
  openLoopScenario,
  steadyBookings,
  burstScenario,
  hangingReceiver,
  httpScenario,
  reception,
  retriesDue,
];

/** @throws TypeError for an unknown name */
export function chooseScenarios(names: readonly string[]): Scenario[] {
  if (names.length === 0) return SCENARIOS.filter(({ isLong }) => isLong !== true);
  const unknown = names.filter((name) => !SCENARIOS.some((scenario) => scenario.name === name));
  const known = SCENARIOS.map(({ name }) => name).join(', ');
  if (unknown.length > 0) throw new TypeError(`no scenario ${unknown.join(', ')}; there are ${known}`);
  return SCENARIOS.filter(({ name }) => names.includes(name));
}
