import { DateTime } from 'luxon';
import { recordAudit } from '../../commands/command-context.ts';
import type { View } from '../layout/view.ts';
import type { ClinicRequest, Download } from '../serving/page-request.ts';
import { CSV_WORDS } from './words.ts';
import type { Language, Words } from '../language/language.ts';

/** What a list shows, as a file. */
export interface CsvList<Row> {
  /** What it is a list of, in the name of the file and in the audit. */
  name: string;
  columns: readonly (readonly [head: string, cell: (row: Row) => Cell])[];
  /** The rows after one, in the order of the list. */
  page(after: Row | undefined, limit: number): Promise<Row[]>;
}

const PAGE = 500;
const MAX_ROWS = 20_000;

/** The whole list, not its first page alone, sent as it is read. That someone took it out is written down first. */
export async function csvDownload<Row>(request: ClinicRequest, list: CsvList<Row>): Promise<Download> {
  const { tenantId, view, write, context } = request;
  const details = { list: list.name };
  const audited = { action: 'list.exported', tenantId, subjectId: null, details } as const;
  await write((em) => recordAudit(em, audited, context));
  const day = DateTime.fromJSDate(view.now, { zone: view.format.zone }).toISODate();
  return { fileName: `${list.name}-${day}.csv`, lines: linesOf(view, list) };
}

async function* linesOf<Row>({ language, format }: View, list: CsvList<Row>): AsyncGenerator<string> {
  const { columns } = list;
  yield (
    BYTE_ORDER_MARK +
      csvLine(
        columns.map(([head]) => head),
        language,
      )
  );
  let rows: Row[] = [];
  for (let sent = 0; sent < MAX_ROWS; sent += PAGE) {
    rows = await list.page(rows.at(-1), PAGE);
    yield rows
      .map((row) =>
        csvLine(
          columns.map(([, cell]) => cell(row)),
          language,
        ),
      )
      .join('');
    if (rows.length < PAGE) return;
  }
  yield csvLine([CSV_WORDS[language].cutOff(format.number(MAX_ROWS))], language);
}

/** 2026-03-05 10:30:00, which spreadsheets know as a time, where the clinic is. */
export function localTime({ format }: View): (at: Date | null) => string {
  return (at) =>
    at === null ? '' : DateTime.fromJSDate(at, { zone: format.zone }).toFormat('yyyy-MM-dd HH:mm:ss');
}

/** A column of times says where they are read. */
export function timeHead(words: string, { format }: View): string {
  return `${words} (${format.zone})`;
}

/** A number is written as it is; text is what people or programs wrote. */
type Cell = string | number | null | undefined;

/** What spreadsheets read a file by that is opened with a double click: those of Portugal keep the comma for decimals. */
const SEPARATORS: Words<string> = { en: ',', pt: ';' };

/** Tells spreadsheets that it is UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

/** A line of a file (RFC 4180). No cell is a formula, whatever someone has written into a name. */
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
