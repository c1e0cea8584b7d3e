import { readFile, writeFile } from 'node:fs/promises';
import type { Ceilings } from '../ceilings/ceilings.ts';
import type { Options } from '../options.ts';
import type { Outcome } from '../runner.ts';
import { markdown, tableOf } from './tables.ts';

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
const [BEGIN, END] = ['<!-- bench: begin -->', '<!-- bench: end -->'];

export function documentOf({ at, machine, versions, settings, ceilings, outcomes }: Results): string {
  const size = settings.isQuick ? 'quick (a tenth of the counts)' : 'full';
  const facts = { ...machine, ...versions, settings: `${settings.repeats} rounds, ${size}`, measured: at };
  return [
    'Each figure is the median of the rounds, with the smallest and the largest behind it. Load, receiver, service, PostgreSQL ' +
      'and Temporal share the machine.',
    markdown(['', ''], Object.entries(facts)),
    '### Ceilings\n\nOf the bare parts alone, a second.',
    markdown(
      ['signed HTTPS POSTs', 'workflows that do nothing', 'Koa with one INSERT'],
      [[String(ceilings.posts), String(ceilings.workflows), String(ceilings.inserts)]],
    ),
    ...outcomes.map(tableOf),
  ].join('\n\n');
}

/** Replaces what stands between the markers in docs/performance.md. */
export async function writeIntoDocs(text: string): Promise<void> {
  const document = await readFile(DOCUMENT, 'utf8');
  const [before, after] = [document.indexOf(BEGIN), document.indexOf(END)];
  if (before < 0 || after < before) throw new Error(`${DOCUMENT.pathname} lacks its markers`);
  const changed = `${document.slice(0, before + BEGIN.length)}\n\n${text}\n\n${document.slice(after)}`;
  await writeFile(DOCUMENT, changed);
}
