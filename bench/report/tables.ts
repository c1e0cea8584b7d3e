import type { Measured, Outcome } from '../runner.ts';
import { median } from './percentile.ts';

type Sides = [label: string, measured: Measured][];

/** A scenario as Markdown: medians, with the smallest and largest round where they differ. */
export function tableOf({ scenario, sides, problem }: Outcome): string {
  const all: Sides = Object.entries(sides);
  return [
    `### ${scenario.title} (\`${scenario.name}\`)`,
    scenario.about,
    ...(problem === null ? [] : [`**Broken off: ${problem}**`]),
    ...groupsOf(all).map(([columns, rows]) =>
      markdown(
        ['', ...columns],
        rows.flatMap((row) => linesOf(row, columns, all)),
      ),
    ),
    ...all.map(([label, measured]) => footnote(all.length === 1 ? 'In all' : label, measured)),
  ].join('\n\n');
}

/** Rows with the same columns stand in one table. */
function groupsOf(all: Sides): [columns: string[], rows: string[]][] {
  const groups = new Map<string, [string[], string[]]>();
  for (const row of new Set(all.flatMap(([, { rows }]) => Object.keys(rows)))) {
    const columns = [...new Set(all.flatMap(([, { rows }]) => Object.keys(rows[row] ?? {})))];
    const group = groups.get(columns.join()) ?? [columns, []];
    group[1].push(row);
    groups.set(columns.join(), group);
  }
  return [...groups.values()];
}

function linesOf(row: string, columns: string[], all: Sides): string[][] {
  const lines = all.map(([label, { rows }]) => [
    all.length === 1 ? row : `${row} (${label})`,
    ...columns.map((column) => cell(rows[row]?.[column])),
  ]);
  return [...lines, ...ratioLine(row, columns, all)];
}

function footnote(subject: string, { totals, residentMegabytes }: Measured): string {
  const memory = Object.entries(residentMegabytes).map(([part, megabytes]) => `${part} ${megabytes}`);
  const counts = `${totals.lost} events lost, ${totals.repeated} sent twice, counted when all was quiet again`;
  return `${subject}: ${counts}. Resident MB at the end: ${memory.join(', ')}.`;
}

/** Median of the ratios round by round, so that what slows both down at a time drops out. */
function ratioLine(row: string, columns: string[], all: Sides): string[][] {
  const [ours, theirs] = all.map(([, { rows }]) => rows[row] ?? {});
  if (ours === undefined || theirs === undefined) return [];
  const ratios = columns.map((column) => {
    const others = theirs[column] ?? [];
    const each = (ours[column] ?? []).map((value, round) => value / (others[round] ?? Number.NaN));
    return figure(median(each));
  });
  return [[`${row} (ratio)`, ...ratios]];
}

function cell(rounds: readonly number[] | undefined): string {
  if (rounds === undefined) return '';
  const [least, most] = [figure(Math.min(...rounds)), figure(Math.max(...rounds))];
  return least === most ? least : `${figure(median(rounds))} (${least}–${most})`;
}

/** Three digits, but counts whole. */
function figure(value: number): string {
  if (!Number.isFinite(value)) return '–';
  if (Number.isInteger(value) || Math.abs(value) >= 100) return String(Math.round(value));
  return String(Number(value.toPrecision(value < 1 ? 2 : 3)));
}

export function markdown(head: string[], lines: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...lines.map(line)].join('\n');
}
