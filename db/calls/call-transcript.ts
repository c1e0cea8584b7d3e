import type { CallEventRow } from '../entities/call-event.entity.ts';
import { openRows } from '../encryption/field-seal.ts';
import { tables, type EntityManager } from '../connection/statements.ts';

/** Something that was said or done in a call, as much of it as people read. */
export interface TranscriptLine extends Pick<CallEventRow, 'sequence' | 'transcript' | 'toolName'> {
  type: CallEventRow['eventType'];
  atMs: number;
  /** What a tool was given or gave back, as JSON. */
  tool: string | null;
}

export interface WantedTranscript {
  tenantId: string;
  callId: string;
  /** The sequence of the last line already shown; -1 at first. */
  after: number;
  limit: number;
}

/** Longer texts are cut. */
const LONGEST = { transcript: 8000, tool: 8000 };

/** What was said and done in a call, in order. */
export async function listTranscript(
  em: EntityManager,
  { tenantId, callId, after, limit }: WantedTranscript,
): Promise<TranscriptLine[]> {
  const rows = await tables(em)
    .selectFrom('call_event')
    .select(['id', 'tenantId', 'sequence', 'eventType', 'occurredAt', 'transcript', 'toolName', 'toolOutput'])
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

function toLine({ sequence, eventType: type, occurredAt, toolName, ...line }: LineOfCall): TranscriptLine {
  const tool = line.toolOutput ?? line.toolInput;
  return {
    sequence,
    type,
    atMs: occurredAt.getTime(),
    transcript: line.transcript?.slice(0, LONGEST.transcript) ?? null,
    toolName,
    tool: tool === null ? null : JSON.stringify(tool).slice(0, LONGEST.tool),
  };
}
