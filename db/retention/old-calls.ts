import { sql, type RawBuilder } from 'kysely';
import { z } from 'zod';
import type { ClinicRetentionClass } from '../../domain/retention.ts';
import { changedRows, firstRow, onlyValue, type EntityManager } from '../connection/statements.ts';
import { isOlder } from './old-events.ts';

interface OldRows {
  table: RawBuilder<unknown>;
  at: RawBuilder<unknown>;
  condition: RawBuilder<unknown>;
}

/** The key of `config.retention` with the number of days. */
const SETTING: Record<ClinicRetentionClass, string> = {
  transcripts: 'transcriptDays',
  recordings: 'recordingDays',
};

const OLD = {
  transcripts: {
    table: sql.table('call_event'),
    at: sql.ref('occurred_at'),
    // Same condition as the index call_event_with_words.
    condition: sql`(transcript IS NOT NULL OR tool_input IS NOT NULL OR tool_output IS NOT NULL)`,
  },
  summaries: {
    table: sql.table('call'),
    at: sql.ref('started_at'),
    // Same condition as the index call_with_summary.
    condition: sql`summary <> ''`,
  },
  recordings: {
    table: sql.table('call_recording'),
    at: sql.ref('uploaded_at'),
    condition: sql`true`,
  },
} satisfies Record<string, OldRows>;

const ROWS: Record<ClinicRetentionClass, readonly OldRows[]> = {
  transcripts: [OLD.transcripts, OLD.summaries],
  recordings: [OLD.recordings],
};

const CLINIC_WITH_OLD_CALLS = z.object({ clinicId: z.string(), olderThanDays: z.number() });

/** The next clinic, after the given one, that has a retention period and older rows. */
export function findClinicWithOldCalls(em: EntityManager, what: ClinicRetentionClass, after: string | null) {
  const setting = SETTING[what];
  return firstRow(em, CLINIC_WITH_OLD_CALLS)`
    SELECT tenant.id AS clinic_id, decided.days AS older_than_days
    FROM tenant
    CROSS JOIN LATERAL (
      SELECT
        CASE WHEN jsonb_typeof(config #> ${['retention', setting]}::text[]) = 'number'
          THEN (config #>> ${['retention', setting]}::text[])::numeric::integer
        END AS days
    ) decided
    CROSS JOIN LATERAL (
      ${sql.join(ROWS[what].map(oldest), sql` UNION ALL `)}
    ) oldest
    WHERE ${after === null ? sql`true` : sql`tenant.id > ${after}::uuid`}
      AND decided.days >= 1
    ORDER BY tenant.id
    LIMIT 1
  `;
}

function oldest({ table, at, condition }: OldRows): RawBuilder<unknown> {
  return sql`(
    SELECT ${at}
    FROM ${table}
    WHERE tenant_id = tenant.id
      AND ${condition}
      AND ${at} < now() - make_interval(days => decided.days)
    ORDER BY ${at}
    LIMIT 1
  )`;
}

interface Wanted {
  clinicId: string;
  /** The age limit; null for any age. */
  olderThanDays: number | null;
  limit: number;
}

/** Erases transcript contents and summaries of calls; calls and events stay. Returns how many rows. */
export async function pruneTranscripts(em: EntityManager, wanted: Wanted): Promise<number> {
  const events = await pruneEvents(em, wanted);
  const limit = wanted.limit - events;
  return limit === 0 ? events : events + (await pruneSummaries(em, { ...wanted, limit }));
}

function pruneEvents(em: EntityManager, { clinicId, olderThanDays, limit }: Wanted) {
  return changedRows(em)`
    UPDATE call_event
    SET transcript = NULL, tool_input = NULL, tool_output = NULL
    WHERE id IN (
      SELECT id
      FROM call_event
      WHERE tenant_id = ${clinicId}
        AND ${OLD.transcripts.condition}
        AND ${isOlder(OLD.transcripts.at, olderThanDays)}
      ORDER BY occurred_at
      LIMIT ${limit}
      FOR NO KEY UPDATE SKIP LOCKED
    )
  `;
}

function pruneSummaries(em: EntityManager, { clinicId, olderThanDays, limit }: Wanted) {
  return changedRows(em)`
    UPDATE call
    SET summary = ''
    WHERE id IN (
      SELECT id
      FROM call
      WHERE tenant_id = ${clinicId}
        AND ${OLD.summaries.condition}
        AND ${isOlder(OLD.summaries.at, olderThanDays)}
      ORDER BY started_at
      LIMIT ${limit}
      FOR NO KEY UPDATE SKIP LOCKED
    )
  `;
}

/**
 * Deletes recordings, so that their links stop working, plans the deletion of their bytes, and records this in the
 * activity log. Locks their calls, like all code that replaces a recording. Returns how many.
 */
export function pruneRecordings(
  em: EntityManager,
  { clinicId, olderThanDays, limit }: Wanted,
  actor: string,
) {
  return onlyValue(em, z.number())`
    WITH gone AS (
      DELETE FROM call_recording
      WHERE id IN (
        SELECT recording.id
        FROM call_recording recording
        JOIN call ON call.tenant_id = recording.tenant_id AND call.id = recording.call_id
        WHERE recording.tenant_id = ${clinicId}
          AND ${isOlder(sql.ref('recording.uploaded_at'), olderThanDays)}
        ORDER BY recording.uploaded_at
        LIMIT ${limit}
        FOR NO KEY UPDATE OF call, recording SKIP LOCKED
      )
      RETURNING id, tenant_id, call_id
    ), removal AS (
      INSERT INTO recording_removal (recording_id, tenant_id, due_at)
      SELECT id, tenant_id, now() FROM gone
    ), audited AS (
      INSERT INTO audit_event (tenant_id, actor, action, subject_id, details)
      SELECT tenant_id, ${actor}, 'recording.erased', call_id::text, jsonb_build_object('recordingId', id) FROM gone
    )
    SELECT count(*)::integer AS pruned FROM gone
  `;
}
