import { sql } from 'kysely';
import type { OutboxMessage } from '../../domain/outbox-message.ts';
import { askAgain, isNotInOutbox } from '../outbox/ask-again.ts';
import type { ReconcilableRows, RowWithWorkflow } from './reconcilable.ts';

type StartReplay = Extract<OutboxMessage, { kind: 'startReplay' }>;

/** Replays that have not come to their end. */
export const replaysToReconcile: ReconcilableRows = {
  async page(em, { after, limit, before }) {
    const { rows } = await sql<RowWithWorkflow>`
      SELECT id, 'replay:' || id AS "workflowId", json_build_array(id::text, '') AS position
      FROM webhook_replay
      WHERE finished_at IS NULL
        AND created_at < ${before}::timestamptz
        AND ${isNotInOutbox('replayId', sql`webhook_replay.id::text`)}
        AND ${after ? sql`id > ${after[0]}::uuid` : sql`true`}
      ORDER BY id
      LIMIT ${limit}
    `.execute(em.getKysely());
    return rows;
  },
  async restart(em, ids) {
    const { rows } = await sql<Omit<StartReplay, 'kind' | 'isRestart'>>`
      SELECT id AS "replayId", tenant_id AS "clinicId", endpoint_id AS "endpointId"
      FROM webhook_replay
      WHERE id = ANY(${[...ids]}::uuid[])
        AND finished_at IS NULL
      ORDER BY id
      FOR NO KEY UPDATE SKIP LOCKED
    `.execute(em.getKysely());
    const messages = rows.map((row): StartReplay => ({ kind: 'startReplay', ...row, isRestart: true }));
    return askAgain(em, 'replayId', messages);
  },
};
