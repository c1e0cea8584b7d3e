import { readFile, writeFile } from 'node:fs/promises';
import type { Ceilings } from '../ceilings/ceilings.ts';
import type { Options } from '../options.ts';
import type { Outcome } from '../runner.ts';
import { tableOf } from './tables.ts';

export interface Results {
  at: string;
  machine: Record<string, string>;
  /** The commit of each side. */
  versions: Record<string, string>;
  settings: Pick<Options, 'repeats' | 'isQuick'>;
  ceilings: Ceilings;
  outcomes: Outcome[];
}

const DOCUMENT = new URL('../../docs/performance.md', import.meta.url);

export function documentOf(results: Results): string {
  return results.outcomes.map((outcome) => sectionOf(outcome, results)).join('\n\n');
}

/** Puts each scenario's tables between its markers in docs/performance.md; those of others stay. */
export async function writeIntoDocs(results: Results): Promise<void> {
  let document = await readFile(DOCUMENT, 'utf8');
  for (const outcome of results.outcomes) {
    const { begin, end } = markersOf(outcome.scenario.name);
    const [before, after] = [document.indexOf(begin), document.indexOf(end)];
    if (before < 0 || after < before) throw new Error(`${DOCUMENT.pathname} lacks ${begin} or ${end}`);
    const section = sectionOf(outcome, results);
    document = `${document.slice(0, before + begin.length)}\n\n${section}\n\n${document.slice(after)}`;
  }
  await writeFile(DOCUMENT, document);
}

export function markersOf(scenario: string): { begin: string; end: string } {
  return { begin: `<!-- bench: ${scenario} -->`, end: `<!-- bench: end of ${scenario} -->` };
}

/** A scenario, and below it what its figures depend on: sections of one page may come from different runs. */
function sectionOf(
  outcome: Outcome,
  { at, machine, versions, settings, ceilings }: Omit<Results, 'outcomes'>,
): string {
  const size = settings.isQuick ? 'quick (a tenth of the counts)' : 'full';
  const facts = { measured: at, ...versions, rounds: `${settings.repeats}, ${size}`, ...machine };
  const named = Object.entries(facts).map(([name, fact]) => `${name} ${fact}`);
  const { posts, workflows, inserts } = ceilings;
  return [
    tableOf(outcome),
    `Ceilings of the same run, a second: ${posts} signed HTTPS POSTs, ${workflows} workflows that do nothing, ${inserts} INSERTs behind Koa.`,
    `${named.join('; ')}.`,
  ].join('\n\n');
}
