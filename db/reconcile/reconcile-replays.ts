import { sql } from 'kysely';
import type { MessageOf } from '../../domain/outbox-message.ts';
import { askAgain, isNotInOutbox } from '../outbox/ask-again.ts';
import { pageById, type ReconcilableRows } from './reconcilable.ts';
import { rowsOf } from '../connection/statements.ts';

/** Replays that have not come to their end. */
export const replaysToReconcile: ReconcilableRows = {
  page(em, wanted) {
    const rows = sql`
      SELECT id, 'replay:' || id AS "workflowId"
      FROM webhook_replay
      WHERE finished_at IS NULL
        AND created_at < ${wanted.before}::timestamptz
        AND ${isNotInOutbox('replayId', sql`webhook_replay.id::text`)}
    `;
    return pageById(em, rows, wanted);
  },
  async restart(em, ids) {
    const rows = await rowsOf<Omit<MessageOf<'startReplay'>, 'kind' | 'isRestart'>>(em)`
      SELECT id AS "replayId", tenant_id AS "clinicId", endpoint_id AS "endpointId"
      FROM webhook_replay
      WHERE id = ANY(${[...ids]}::uuid[])
        AND finished_at IS NULL
      ORDER BY id
      FOR NO KEY UPDATE SKIP LOCKED
    `;
    const messages = rows.map((row) => ({ kind: 'startReplay' as const, ...row, isRestart: true as const }));
    return askAgain(em, 'replayId', messages);
  },
};
