import type { Language, Words } from '../language/language.ts';

/** A number is written as it is; text is what people or programs wrote. */
export type Cell = string | number | null | undefined;

/** What spreadsheets read a file by that is opened with a double click: those of Portugal keep the comma for decimals. */
const SEPARATORS: Words<string> = { en: ',', pt: ';' };

/** Tells spreadsheets that it is UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF';

/** A line of a file (RFC 4180). No cell is a formula, whatever somebody has written into a name. */
export function csvLine(cells: readonly Cell[], language: Language): string {
  return `${cells.map((cell) => written(cell, SEPARATORS[language])).join(SEPARATORS[language])}\r\n`;
}

function written(cell: Cell, separator: string): string {
  if (typeof cell === 'number') return String(cell);
  const text = harmless(cell ?? '');
  const isQuoted = /["\r\n\t]/.test(text) || text.includes(separator);
  return isQuoted ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * What spreadsheets would reckon with begins with an apostrophe, which they read as “this is text”: a cell, and what becomes one where
 * the lines are parted elsewhere than here, as in another country; there also behind quotes, which then are some of the cell's own.
 */
function harmless(text: string): string {
  const parted = text.replaceAll(/(?=[=+\-@])(?<=[;,\t\r\n]"*)/g, "'");
  return /^[=+\-@\t\r\n]/.test(parted) ? `'${parted}` : parted;
}
