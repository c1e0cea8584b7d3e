import { sql, type RawBuilder } from 'kysely';
import type { CallOutcome } from '../../domain/calls/call.ts';
import type { CallRow } from '../entities/call.entity.ts';
import type { EntityManager } from '../connection/open-database.ts';
import type { RawRow } from '../connection/row-reader.ts';
import { IS_TO_RETURN } from './call-backs.ts';
import { callReader } from './lock-call.ts';

/** `metadata` may be 16 KiB for each call. */
const LISTED_COLUMNS = callReader.columnsBut('metadata');

export interface CallFilter {
  tenantId: string;
  outcome?: CallOutcome;
  /** Inclusive. */
  from?: Date;
  /** Exclusive. */
  to?: Date;
  /** Those alone after which somebody is to call back. */
  isToReturn?: boolean;
}

/** A position in the list: the last call already seen. */
export interface CallPosition {
  startedAt: Date;
  id: string;
}

/** The clinic's calls, latest start first, those after `after` only; without their metadata, which no list shows. */
export async function listCalls(
  em: EntityManager,
  filter: CallFilter,
  page: { limit: number; after?: CallPosition },
): Promise<CallRow[]> {
  const { rows } = await sql<RawRow>`
    SELECT ${LISTED_COLUMNS}, '{}'::jsonb AS metadata FROM call
    WHERE ${sql.join(conditions(filter, page.after), sql` AND `)}
    ORDER BY started_at DESC, id DESC
    LIMIT ${page.limit}
  `.execute(em.getKysely());
  return rows.map((row) => callReader.read(em, row));
}

function conditions(
  { tenantId, outcome, from, to, isToReturn }: CallFilter,
  after: CallPosition | undefined,
): RawBuilder<unknown>[] {
  return [
    sql`tenant_id = ${tenantId}`,
    ...(outcome ? [sql`outcome = ${outcome}`] : []),
    ...(from ? [sql`started_at >= ${from}`] : []),
    ...(to ? [sql`started_at < ${to}`] : []),
    ...(isToReturn ? [IS_TO_RETURN] : []),
    ...(after ? [sql`(started_at, id) < (${after.startedAt}, ${after.id}::uuid)`] : []),
  ];
}
