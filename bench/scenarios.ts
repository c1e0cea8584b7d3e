import type { Scenario } from './scenario.ts';
import { burstScenario } from './scenarios/burst.ts';
import { httpScenario } from './scenarios/http.ts';
import { openLoopScenario } from './scenarios/open-loop.ts';

/** In the order in which they are measured. */
const SCENARIOS: Scenario[] = [openLoopScenario, burstScenario, httpScenario];

/** @throws TypeError for an unknown name */
export function chooseScenarios(names: readonly string[]): Scenario[] {
  if (names.length === 0) return SCENARIOS.filter(({ isLong }) => isLong !== true);
  const unknown = names.filter((name) => !SCENARIOS.some((scenario) => scenario.name === name));
  const known = SCENARIOS.map(({ name }) => name).join(', ');
  if (unknown.length > 0) throw new TypeError(`no scenario ${unknown.join(', ')}; there are ${known}`);
  return SCENARIOS.filter(({ name }) => names.includes(name));
}
