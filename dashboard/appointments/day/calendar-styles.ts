import { HOURS_OF_DAY, ROWS_AN_HOUR } from './calendar-grid.ts';

/** The height of the printed calendar, which fits on a landscape page. */
const PAPER_MM = 160;

/**
 * Positions in the calendar. Pages may not contain inline styles, so every row has a class: `r12` starts at row 12,
 * `s6` is six rows high, `h10` shows ten hours.
 */
export function calendarStyles(): string {
  const rows = Array.from({ length: HOURS_OF_DAY * ROWS_AN_HOUR }, (_, row) => row);
  const places = rows.map(
    (row) => `.r${row}{grid-row-start:${row + 1}}.s${row + 1}{grid-row-end:span ${row + 1}}`,
  );
  const heights = Array.from({ length: HOURS_OF_DAY }, (_, before) => {
    const hours = before + 1;
    const onPaper = (PAPER_MM / (hours * ROWS_AN_HOUR)).toFixed(3);
    return `.h${hours} ol{grid-template-rows:repeat(${hours * ROWS_AN_HOUR},var(--row))}
@media print{.h${hours}{--row:${onPaper}mm}}`;
  });
  return [...places, ...heights].join('\n');
}
