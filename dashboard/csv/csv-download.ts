import { DateTime } from 'luxon';
import { recordAudit } from '../../commands/command-context.ts';
import type { View } from '../layout/view.ts';
import type { ClinicRequest, Download } from '../serving/page-request.ts';
import { CSV_WORDS } from './words.ts';
import type { Language, Words } from '../language/language.ts';

/** A list as a file. */
export interface CsvList<Row> {
  /** Its name in the file name and in the audit. */
  name: string;
  columns: readonly (readonly [head: string, cell: (row: Row) => Cell])[];
  /** The rows after one, in the list's order. */
  page(after: Row | undefined, limit: number): Promise<Row[]>;
}

const PAGE = 500;
const MAX_ROWS = 20_000;

/** Streams the whole list, not just one page. The download is recorded in the audit first. */
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

/** 2026-03-05 10:30:00 in the clinic's zone, which spreadsheets recognise as a time. */
export function localTime({ format }: View): (at: Date | null) => string {
  return (at) =>
    at === null ? '' : DateTime.fromJSDate(at, { zone: format.zone }).toFormat('yyyy-MM-dd HH:mm:ss');
}

/** The head of a time column, with the time zone. */
export function timeHead(words: string, { format }: View): string {
  return `${words} (${format.zone})`;
}

/** Numbers are written as they are; text may come from people or integrations. */
type Cell = string | number | null | undefined;

/** Separators that spreadsheets expect when a file is opened directly: Portuguese ones use the comma for decimals. */
const SEPARATORS: Words<string> = { en: ',', pt: ';' };

/** Marks the file as UTF-8 for spreadsheets. */
const BYTE_ORDER_MARK = '\uFEFF';

/** One line (RFC 4180). No cell is a formula, whatever a name contains. */
export function csvLine(cells: readonly Cell[], language: Language): string {
  return `${cells.map((cell) => written(cell, SEPARATORS[language])).join(SEPARATORS[language])}\r\n`;
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
