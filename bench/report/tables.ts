import type { Measured, Outcome } from '../runner.ts';
import { median } from './percentile.ts';

/** A scenario as Markdown: medians, with the smallest and largest round where they differ. */
export function tableOf({ scenario, sides, problem }: Outcome): string {
  const all = Object.entries(sides);
  const rowNames = [...new Set(all.flatMap(([, { rows }]) => Object.keys(rows)))];
  const columns = [
    ...new Set(all.flatMap(([, { rows }]) => Object.values(rows).flatMap((row) => Object.keys(row)))),
  ];
  const lines = rowNames.flatMap((row) => [
    ...all.map(([label, measured]) => [
      all.length === 1 ? row : `${row} (${label})`,
      ...columns.map((column) => cell(measured.rows[row]?.[column])),
    ]),
    ...ratioLine(row, columns, all),
  ]);
  return [
    `### ${scenario.title} (\`${scenario.name}\`)`,
    scenario.about,
    ...(problem === null ? [] : [`**Broken off: ${problem}**`]),
    markdown(['', ...columns], lines),
    ...all.map(([label, measured]) => footnote(all.length === 1 ? 'The service' : label, measured)),
  ].join('\n\n');
}

function footnote(subject: string, { totals, residentMegabytes }: Measured): string {
  const memory = Object.entries(residentMegabytes).map(([part, megabytes]) => `${part} ${megabytes}`);
  const counts = `${totals.lost} events lost, ${totals.repeated} sent twice, counted when all was quiet again`;
  return `${subject}: ${counts}. Resident MB at the end: ${memory.join(', ')}.`;
}

/** Median of the ratios round by round, so that what slows both down at a time drops out. */
function ratioLine(row: string, columns: string[], all: [string, Measured][]): string[][] {
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
