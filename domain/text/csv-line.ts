/** Numbers are written as they are; text may come from people or integrations. */
export type Cell = string | number | null | undefined;

/** Marks the file as UTF-8 for spreadsheets. */
export const BYTE_ORDER_MARK = '\uFEFF';

/** One line (RFC 4180). No cell is a formula, whatever a name contains. */
export function csvLine(cells: readonly Cell[], separator: string): string {
  return `${cells.map((cell) => written(cell, separator)).join(separator)}\r\n`;
}

function written(cell: Cell, separator: string): string {
  if (typeof cell === 'number') return String(cell);
  const text = harmless(cell ?? '');
  const isQuoted = /["\r\n\t]/.test(text) || text.includes(separator);
  return isQuoted ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Characters that start a formula, also in small and full-width forms from Asian keyboards. */
const FORMULA = '[=+\\-@\u2212\uff1d\uff0b\uff0d\uff20\ufe62\ufe63\ufe66\ufe6b]';
/** Characters that some spreadsheets ignore at the start. */
const UNSEEN = '[\\s\\p{Cf}\\p{Default_Ignorable_Code_Point}]*';
const BEGINS_FORMULA = new RegExp(`^${UNSEEN}${FORMULA}|^[\\t\\r\\n]`, 'u');
const BEGINS_FORMULA_ABROAD = new RegExp(`[;,\\t\\r\\n]"*(?=${UNSEEN}${FORMULA})`, 'gu');

/**
 * Prefixes possible formulas with an apostrophe, which spreadsheets read as “this is text”. This includes text that
 * becomes its own cell when a spreadsheet splits lines at another separator; there it also follows quotes, which are
 * then part of the cell.
 */
function harmless(text: string): string {
  const parted = text.replaceAll(BEGINS_FORMULA_ABROAD, "$&'");
  return BEGINS_FORMULA.test(parted) ? `'${parted}` : parted;
}
