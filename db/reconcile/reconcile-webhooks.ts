import { sql } from 'kysely';
import { z } from 'zod';
import { anyOf, rowsOf, tables } from '../connection/statements.ts';
import { askAgain, askForDeliveries, isNotInOutbox } from '../outbox/insert-messages.ts';
import { OFF_WITH_OPEN_DELIVERIES } from '../webhooks/endpoints/skip-deliveries.ts';
import { pageById, ROW_WITH_WORKFLOW, type ReconcilableRows } from './reconcilable.ts';
import type { OutboxMessage } from '../../domain/outbox-message.ts';

/** Deliveries that are not final. */
export const deliveriesToReconcile: ReconcilableRows = {
  async page(em, { after, limit, before }) {
    return rowsOf(em, ROW_WITH_WORKFLOW)`
      SELECT id, workflow_id, json_build_array(endpoint_id::text, id::text) AS position
      FROM webhook_delivery
      WHERE status IN ('pending', 'retrying')
        AND workflow_id IS NOT NULL
        AND created_at < ${before}::timestamptz
        AND ${isNotInOutbox('deliveryId', sql`webhook_delivery.id::text`)}
        AND ${after ? sql`(endpoint_id, id) > (${after[0]}::uuid, ${after[1]}::uuid)` : sql`true`}
      ORDER BY endpoint_id, id
      LIMIT ${limit}
    `;
  },
  async restart(em, ids) {
    const open = tables(em).selectFrom('webhook_delivery').where('status', 'in', ['pending', 'retrying']);
    const found = open.where('id', '=', anyOf(ids)).select('id').orderBy('id');
    const rows = await found.forNoKeyUpdate().skipLocked().execute();
    const held = rows.map(({ id }) => id);
    return askForDeliveries(em, held);
  },
};

/** Endpoints that are failing, that are disabled with open deliveries, or whose mail is not sent. */
export const endpointsToReconcile: ReconcilableRows = {
  page(em, wanted) {
    const rows = sql`
      SELECT id, 'endpoint:' || id AS workflow_id
      FROM webhook_endpoint
      WHERE id IN (
          SELECT failing.id
          FROM webhook_endpoint failing
          WHERE failing.status = 'failing'
            AND failing.deactivate_at IS NOT NULL
            AND failing.deleted_at IS NULL
            AND failing.failing_since < ${wanted.before}::timestamptz
          UNION
          SELECT unsettled.id
          FROM (${OFF_WITH_OPEN_DELIVERIES}) unsettled
          WHERE unsettled.off_since < ${wanted.before}::timestamptz
          UNION
          SELECT endpoint_id FROM notification WHERE mail = 'due' AND created_at < ${wanted.before}::timestamptz
        )
        AND ${isNotInOutbox('ordering_key', sql`'endpoint:' || webhook_endpoint.id`)}
    `;
    return pageById(em, rows, wanted);
  },
  async restart(em, ids) {
    const rows = await rowsOf(em, ENDPOINT_TO_RESTART)`
      SELECT
        id AS endpoint_id,
        tenant_id AS clinic_id,
        deactivate_at,
        EXISTS (
          SELECT FROM notification unsent WHERE unsent.endpoint_id = webhook_endpoint.id AND unsent.mail = 'due'
        ) AS has_mail,
        id IN (SELECT unsettled.id FROM (${OFF_WITH_OPEN_DELIVERIES}) unsettled) AS is_unsettled,
        clock_timestamp()::timestamptz(3) AS now
      FROM webhook_endpoint
      WHERE id = ANY(${[...ids]}::uuid[])
      ORDER BY id
      FOR NO KEY UPDATE SKIP LOCKED
    `;
    return askAgain(
      em,
      'ordering_key',
      rows.flatMap((row) => messageOf(row) ?? []),
    );
  },
};

const ENDPOINT_TO_RESTART = z.object({
  endpointId: z.string(),
  clinicId: z.string(),
  deactivateAt: z.date().nullable(),
  hasMail: z.boolean(),
  isUnsettled: z.boolean(),
  now: z.date(),
});
type EndpointToRestart = z.infer<typeof ENDPOINT_TO_RESTART>;

/** The message for an endpoint's workflow. Any message starts the workflow, which also sends the emails. */
function messageOf({ endpointId, clinicId, ...row }: EndpointToRestart): OutboxMessage | null {
  const { deactivateAt, hasMail, isUnsettled, now } = row;
  if (isUnsettled) return { kind: 'endpointSwitchedOff', endpointId, clinicId, at: now.toISOString() };
  // Without a time, the endpoint has recovered and its email was sent since the page was read.
  if (!deactivateAt && !hasMail) return null;
  return { kind: 'endpointFailing', endpointId, clinicId, deactivateAt: deactivateAt?.toISOString() ?? null };
}

const REPLAY_TO_RESTART = z.object({ replayId: z.string(), clinicId: z.string(), endpointId: z.string() });

/** Replays that are not finished. */
export const replaysToReconcile: ReconcilableRows = {
  page(em, wanted) {
    const rows = sql`
      SELECT id, 'replay:' || id AS workflow_id
      FROM webhook_replay
      WHERE finished_at IS NULL
        AND created_at < ${wanted.before}::timestamptz
        AND ${isNotInOutbox('replayId', sql`webhook_replay.id::text`)}
    `;
    return pageById(em, rows, wanted);
  },
  async restart(em, ids) {
    const rows = await rowsOf(em, REPLAY_TO_RESTART)`
      SELECT id AS replay_id, tenant_id AS clinic_id, endpoint_id
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
