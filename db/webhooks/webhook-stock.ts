import type { SelectQueryBuilder } from 'kysely';
import { z } from 'zod';
import { onlyRow, rowsOf, tables, type EntityManager, type Tables } from '../connection/statements.ts';

const MAX_COUNTED = 100_000;
const COUNTED = z.object({ status: z.string(), count: z.number() });
const MAILS_DUE = z.object({ count: z.number(), oldestAgeSeconds: z.number() });

/**
 * The number of open deliveries (at most `MAX_COUNTED`), of endpoints that are not deleted, and of unsent mails. Each
 * number is counted with its own index.
 */
export async function findWebhookStock(em: EntityManager) {
  const db = tables(em);
  const open = db.selectFrom('webhook_delivery').where('status', 'in', ['pending', 'retrying']);
  const present = db.selectFrom('webhook_endpoint').where('deletedAt', 'is', null);
  const deliveries = await countByStatus(em, open.select('status').orderBy('endpointId').orderBy('id'));
  const endpoints = await countByStatus(em, present.select('status').orderBy('tenantId').orderBy('id'));
  return {
    openDeliveries: { pending: 0, retrying: 0, ...deliveries },
    endpoints: { active: 0, failing: 0, deactivated: 0, disabled: 0, ...endpoints },
    mailsDue: await onlyRow(em, MAILS_DUE)`
      SELECT
        count(*)::integer,
        coalesce(extract(epoch FROM clock_timestamp() - min(created_at)), 0)::float8 AS oldest_age_seconds
      FROM notification
      WHERE mail = 'due'
    `,
  };
}

async function countByStatus<Table extends keyof Tables, Status extends string>(
  em: EntityManager,
  rows: SelectQueryBuilder<Tables, Table, { status: Status }>,
): Promise<Partial<Record<Status, number>>> {
  const counts = await rowsOf(em, COUNTED)`
    SELECT status, count(*)::integer FROM (${rows.limit(MAX_COUNTED)}) AS counted GROUP BY status
  `;
  return Object.fromEntries(counts.map(({ status, count }) => [status, count])) as Partial<
    Record<Status, number>
  >;
}
