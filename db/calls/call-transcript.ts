import { sql } from 'kysely';
import type { CallEventType } from '../../domain/calls/call.ts';
import { SEALED_FIELDS } from '../../domain/encryption/sealed-fields.ts';
import type { Opened } from '../../domain/encryption/sealed-value.ts';
import type { StoredCallEvent } from '../entities/call-event.entity.ts';
import { openRows } from '../encryption/field-seal.ts';
import type { EntityManager } from '../connection/open-database.ts';

/** Something that was said or done in a call, as much of it as people read. */
export interface TranscriptLine {
  sequence: number;
  type: CallEventType;
  atMs: number;
  transcript: string | null;
  toolName: string | null;
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

interface StoredLine extends Omit<TranscriptLine, 'transcript' | 'tool'>, SealedPartsOfLine {
  id: string;
  tenantId: string;
}

type SealedPartsOfLine = Pick<StoredCallEvent, 'transcript' | 'toolInput' | 'toolOutput'>;

/** What was said and done in a call, in order. */
export async function listTranscript(
  em: EntityManager,
  { tenantId, callId, after, limit }: WantedTranscript,
): Promise<TranscriptLine[]> {
  const { rows } = await sql<StoredLine>`
    SELECT
      id,
      tenant_id AS "tenantId",
      sequence,
      event_type AS "type",
      (extract(epoch FROM occurred_at) * 1000)::float8 AS "atMs",
      transcript,
      tool_name AS "toolName",
      CASE WHEN tool_output IS NULL THEN tool_input END AS "toolInput",
      tool_output AS "toolOutput"
    FROM call_event
    WHERE tenant_id = ${tenantId}
      AND call_id = ${callId}
      AND sequence > ${after}
    ORDER BY sequence
    LIMIT ${limit}
  `.execute(em.getKysely());
  return (await openRows(em, SEALED_FIELDS.callEvent, rows)).map(toLine);
}

function toLine({ sequence, type, atMs, toolName, ...line }: Opened<StoredLine>): TranscriptLine {
  const tool = line.toolOutput ?? line.toolInput;
  return {
    sequence,
    type,
    atMs,
    transcript: line.transcript?.slice(0, LONGEST.transcript) ?? null,
    toolName,
    tool: tool === null ? null : JSON.stringify(tool).slice(0, LONGEST.tool),
  };
}
