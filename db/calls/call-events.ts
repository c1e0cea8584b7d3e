import { sql, type RawBuilder } from 'kysely';
import { z } from 'zod';
import { CALL_EVENT_LIMITS } from '../../domain/calls/call.ts';
import { openRows } from '../encryption/field-seal.ts';
import { CallEventEntity, type CallEventRow } from '../entities/calls/call-event.entity.ts';
import { anyOf, onlyRow, tables, type EntityManager } from '../connection/statements.ts';

/** Format, key id and nonce, with their dots. */
const HEADER_BYTES = sql.lit('v3.00000000.0000000000000000.'.length);
const TAG_BYTES = sql.lit(16);

const MEASURED = z.object({ count: z.number(), bytes: z.number() });

/** The number of events of a call, and the bytes of their contents. */
export function measureCallEvents(em: EntityManager, tenantId: string, callId: string) {
  return onlyRow(em, MEASURED)`
    SELECT
      count(*)::integer AS count,
      coalesce(sum(
        ${clearBytes(sql`transcript`)} + coalesce(octet_length(tool_name), 0)
        + ${clearBytes(sql`(tool_input #>> '{}')`)} + ${clearBytes(sql`(tool_output #>> '{}')`)}
      ), 0)::float8 AS bytes
    FROM call_event
    WHERE tenant_id = ${tenantId}
      AND call_id = ${callId}
  `;
}

/** The length of a text before encryption: docs/decisions/0025-sealed-at-rest.md */
function clearBytes(text: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`coalesce(
    CASE WHEN starts_with(${text}, 'v3.') THEN (octet_length(${text}) - ${HEADER_BYTES}) * 3 / 4 - ${TAG_BYTES}
    ELSE octet_length(${text}) END, 0
  )`;
}

/** The call's events with these sequences, or all, by sequence. */
export async function listCallEvents(
  em: EntityManager,
  tenantId: string,
  callId: string,
  sequences?: readonly number[],
): Promise<CallEventRow[]> {
  const wanted = sequences && { sequence: { $in: [...sequences] } };
  const order = { orderBy: { sequence: 'asc' }, limit: CALL_EVENT_LIMITS.count } as const;
  const rows = await em.find(CallEventEntity, { tenantId, callId, ...wanted }, order);
  return openRows(em, 'callEvent', rows);
}

/** The ids of all transcript events of these calls. */
export async function findIdsOfCallEvents(em: EntityManager, tenantId: string, callIds: readonly string[]) {
  const events = tables(em).selectFrom('call_event').where('tenantId', '=', tenantId);
  const rows = await events.where('callId', '=', anyOf(callIds)).select('id').execute();
  return rows.map(({ id }) => id);
}

/** A transcript line as shown to people. */
export interface TranscriptLine extends Pick<
  CallEventRow,
  'sequence' | 'speaker' | 'transcript' | 'toolName'
> {
  type: CallEventRow['eventType'];
  atMs: number;
  /** The input or output of a tool, as JSON. */
  tool: string | null;
}

export interface TranscriptQuery {
  tenantId: string;
  callId: string;
  /** The sequence of the last line already shown; -1 at first. */
  after: number;
  limit: number;
}

/** Longer texts are cut. */
const LONGEST = { transcript: 8000, tool: 8000 };

/** The transcript of a call, in order. */
export async function listTranscript(
  em: EntityManager,
  { tenantId, callId, after, limit }: TranscriptQuery,
): Promise<TranscriptLine[]> {
  const rows = await tables(em)
    .selectFrom('call_event')
    .select(['id', 'tenantId', 'sequence', 'eventType', 'occurredAt', 'speaker', 'transcript', 'toolName'])
    .select('toolOutput')
    .select((event) =>
      event.case().when('toolOutput', 'is', null).then(event.ref('toolInput')).end().as('toolInput'),
    )
    .where('tenantId', '=', tenantId)
    .where('callId', '=', callId)
    .where('sequence', '>', after)
    .orderBy('sequence')
    .limit(limit)
    .execute();
  return (await openRows(em, 'callEvent', rows)).map(toLine);
}

type LineOfCall = Omit<CallEventRow, 'callId'>;

function toLine({
  sequence,
  eventType: type,
  occurredAt,
  speaker,
  toolName,
  ...line
}: LineOfCall): TranscriptLine {
  const tool = line.toolOutput ?? line.toolInput;
  return {
    sequence,
    type,
    atMs: occurredAt.getTime(),
    speaker,
    transcript: line.transcript?.slice(0, LONGEST.transcript) ?? null,
    toolName,
    tool: tool === null ? null : JSON.stringify(tool).slice(0, LONGEST.tool),
  };
}
