import { sql } from 'kysely';
import type { CallEventType } from '../../domain/calls/call.ts';
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

/** What was said and done in a call, in order. */
export async function listTranscript(
  em: EntityManager,
  { tenantId, callId, after, limit }: WantedTranscript,
): Promise<TranscriptLine[]> {
  const { rows } = await sql<TranscriptLine>`
    SELECT
      sequence,
      event_type AS "type",
      (extract(epoch FROM occurred_at) * 1000)::float8 AS "atMs",
      left(transcript, ${LONGEST.transcript}) AS "transcript",
      tool_name AS "toolName",
      left(coalesce(tool_output, tool_input)::text, ${LONGEST.tool}) AS "tool"
    FROM call_event
    WHERE tenant_id = ${tenantId}
      AND call_id = ${callId}
      AND sequence > ${after}
    ORDER BY sequence
    LIMIT ${limit}
  `.execute(em.getKysely());
  return rows;
}
