import { DateTime } from 'luxon';
import { recordAudit } from '../../commands/command-context.ts';
import type { View } from '../layout/view.ts';
import type { ClinicRequest, Download } from '../serving/page-request.ts';
import { BYTE_ORDER_MARK, csvLine, type Cell } from '../../domain/text/csv-line.ts';
import { CSV_WORDS } from './words.ts';
import type { Words } from '../language/language.ts';

/** A list as a file. */
export interface CsvList<Row> {
  /** The list's name in the file name and in the activity log. */
  name: string;
  columns: readonly (readonly [head: string, cell: (row: Row) => Cell])[];
  /** The rows after the given row, in the list's order. */
  page(after: Row | undefined, limit: number): Promise<Row[]>;
}

const PAGE = 500;
const MAX_ROWS = 20_000;

/** Streams the whole list, not just one page. Before that, the download is recorded in the activity log. */
export async function csvDownload<Row>(request: ClinicRequest, list: CsvList<Row>): Promise<Download> {
  const { tenantId, view, write, context } = request;
  const details = { list: list.name };
  const audited = { action: 'list.exported', tenantId, subjectId: null, details } as const;
  await write((em) => recordAudit(em, audited, context));
  const day = DateTime.fromJSDate(view.now, { zone: view.format.zone }).toISODate();
  return { fileName: `${list.name}-${day}.csv`, type: 'text/csv; charset=utf-8', lines: linesOf(view, list) };
}

async function* linesOf<Row>({ language, format }: View, list: CsvList<Row>): AsyncGenerator<string> {
  const { columns } = list;
  const separator = SEPARATORS[language];
  const heads = columns.map(([head]) => head);
  yield BYTE_ORDER_MARK + csvLine(heads, separator);
  let rows: Row[] = [];
  for (let sent = 0; sent < MAX_ROWS; sent += PAGE) {
    rows = await list.page(rows.at(-1), PAGE);
    const lines = rows.map((row) => columns.map(([, cell]) => cell(row)));
    yield lines.map((cells) => csvLine(cells, separator)).join('');
    if (rows.length < PAGE) return;
  }
  yield csvLine([CSV_WORDS[language].cutOff(format.number(MAX_ROWS))], separator);
}

/** A time in the clinic's zone that spreadsheets recognise, such as 2026-03-05 10:30:00. */
export function localTime({ format }: View): (at: Date | null) => string {
  return (at) =>
    at === null ? '' : DateTime.fromJSDate(at, { zone: format.zone }).toFormat('yyyy-MM-dd HH:mm:ss');
}

/** The head of a time column, with the time zone. */
export function timeHead(words: string, { format }: View): string {
  return `${words} (${format.zone})`;
}

/** Separators that spreadsheets expect when a file is opened directly: Portuguese ones use the comma for decimals. */
export const SEPARATORS: Words<string> = { en: ',', pt: ';' };
