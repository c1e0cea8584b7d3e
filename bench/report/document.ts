import type { Options } from '../options.ts';
import type { Outcome } from '../runner.ts';
import { tableOf } from './tables.ts';

export interface Results {
  at: string;
  machine: Record<string, string>;
  /** The commit of each side. */
  versions: Record<string, string>;
  settings: Pick<Options, 'repeats' | 'isQuick'>;
  /** A second: see `Bench`. */
  barePosts: number;
  outcomes: Outcome[];
}

export function documentOf(results: Results): string {
  return results.outcomes.map((outcome) => sectionOf(outcome, results)).join('\n\n');
}

/** A scenario, and below it what its figures depend on. */
function sectionOf(
  outcome: Outcome,
  { at, machine, versions, settings, barePosts }: Omit<Results, 'outcomes'>,
): string {
  const size = settings.isQuick ? 'quick (a tenth of the counts)' : 'full';
  const facts = { measured: at, ...versions, rounds: `${settings.repeats}, ${size}`, ...machine };
  const named = Object.entries(facts).map(([name, fact]) => `${name} ${fact}`);
  return [
    tableOf(outcome),
    `Bare signed POSTs of the same run: ${barePosts} a second.`,
    `${named.join('; ')}.`,
  ].join('\n\n');
}
