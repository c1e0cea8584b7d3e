import { DateTime } from 'luxon';
import { recordAudit } from '../../commands/command-context.ts';
import type { View } from '../layout/view.ts';
import type { ClinicRequest, Download } from '../serving/page-request.ts';
import { BYTE_ORDER_MARK, csvLine, type Cell } from './csv.ts';
import { CSV_WORDS } from './words.ts';

/** What a list shows, as a file. */
export interface CsvList<Row> {
  /** What it is a list of, in the name of the file and in the audit. */
  name: string;
  columns: readonly (readonly [head: string, cell: (row: Row) => Cell])[];
  /** The rows after one, in the order of the list. */
  page(after: Row | undefined, limit: number): Promise<Row[]>;
}

const PAGE = 500;
const MOST_ROWS = 20_000;

/** The whole list, not its first page alone, sent as it is read. That somebody took it out is written down first. */
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
  for (let sent = 0; sent < MOST_ROWS; sent += PAGE) {
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
  yield csvLine([CSV_WORDS[language].cutOff(format.number(MOST_ROWS))], language);
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
