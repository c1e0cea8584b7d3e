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

/** What a formula may begin with, in small and full-width letters too, as Asian keyboards write them. */
const FORMULA = '[=+\\-@\u2212\uff1d\uff0b\uff0d\uff20\ufe62\ufe63\ufe66\ufe6b]';
/** What some spreadsheets leave away before they look. */
const UNSEEN = '[\\s\\p{Cf}\\p{Default_Ignorable_Code_Point}]*';
const BEGINS_FORMULA = new RegExp(`^${UNSEEN}${FORMULA}|^[\\t\\r\\n]`, 'u');
const BEGINS_FORMULA_ABROAD = new RegExp(`[;,\\t\\r\\n]"*(?=${UNSEEN}${FORMULA})`, 'gu');

/**
 * What spreadsheets would reckon with begins with an apostrophe, which they read as “this is text”: a cell, and what becomes one where
 * the lines are parted elsewhere than here, as in another country; there also behind quotes, which then are some of the cell's own.
 */
function harmless(text: string): string {
  const parted = text.replaceAll(BEGINS_FORMULA_ABROAD, "$&'");
  return BEGINS_FORMULA.test(parted) ? `'${parted}` : parted;
}
