import { sql } from 'kysely';
import type { CallOutcome } from '../../domain/calls/call.ts';
import { unsealed } from '../../domain/encryption/sealed-value.ts';
import type { CallRow } from '../entities/calls/call.entity.ts';
import { columnsExcept } from '../connection/columns.ts';
import { countUpTo, hasValues, tables, type EntityManager } from '../connection/statements.ts';

/** Without texts that no list shows; `metadata` may be 16 KiB for each call. */
const LISTED_COLUMNS = columnsExcept('call', 'metadata', 'summary');

export interface CallFilter {
  tenantId: string;
  outcome?: CallOutcome;
  /** Inclusive. */
  from?: Date;
  /** Exclusive. */
  to?: Date;
  /** Only calls that someone should return. */
  isToReturn?: boolean;
}

/** A position in the list: the last call already seen. */
export type CallPosition = Pick<CallRow, 'startedAt' | 'id'>;

/** The clinic's calls, latest start first, only those after `after`. */
export async function listCalls(
  em: EntityManager,
  { tenantId, outcome, from, to, isToReturn }: CallFilter,
  { limit, after }: { limit: number; after?: CallPosition },
): Promise<CallRow[]> {
  const rows = await tables(em)
    .selectFrom('call')
    .select(LISTED_COLUMNS)
    .where((call) =>
      call.and([
        hasValues(call, { tenantId, outcome }),
        ...(from ? [call('startedAt', '>=', from)] : []),
        ...(to ? [call('startedAt', '<', to)] : []),
        ...(isToReturn ? [IS_TO_RETURN] : []),
        ...(after
          ? [call(call.refTuple('startedAt', 'id'), '<', call.tuple(after.startedAt, after.id))]
          : []),
      ]),
    )
    .orderBy('startedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...row, metadata: unsealed({}), summary: null }));
}

/**
 * A condition on a row of `call`: someone should call back. Same condition as the index `call_to_return` and
 * domain/calls/call-back.ts.
 */
export const IS_TO_RETURN = sql<boolean>`
  called_back_at IS NULL AND outcome IN ('handoff_to_human', 'voicemail', 'abandoned')
`;

/** The number of calls since `since` that need a call back, counted up to `atMost`. */
export function countCallsToReturn(
  em: EntityManager,
  { tenantId, since }: { tenantId: string; since: Date },
  atMost: number,
): Promise<number> {
  const calls = tables(em).selectFrom('call').where('tenantId', '=', tenantId);
  return countUpTo(em, calls.where('startedAt', '>=', since).where(IS_TO_RETURN), atMost);
}

type Caller = Pick<CallRow, 'tenantId' | 'fromNumberHash'>;

/** Marks a call and the caller's earlier calls as called back. Returns how many were changed. */
export async function closeCallBacks(
  em: EntityManager,
  { tenantId, fromNumberHash, startedAt }: Caller & Pick<CallRow, 'startedAt'>,
  { at, by }: { at: Date; by: string },
): Promise<number> {
  const { numUpdatedRows } = await tables(em)
    .updateTable('call')
    .set({ calledBackAt: at, calledBackBy: by })
    .where('tenantId', '=', tenantId)
    .where('fromNumberHash', '=', fromNumberHash)
    .where('startedAt', '<=', startedAt)
    .where(IS_TO_RETURN)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Undoes everything that was marked by the same call back. */
export async function reopenCallBacks(
  em: EntityManager,
  { tenantId, fromNumberHash, calledBackAt }: Caller & Pick<CallRow, 'calledBackAt'>,
): Promise<void> {
  await tables(em)
    .updateTable('call')
    .set({ calledBackAt: null, calledBackBy: null })
    .where('tenantId', '=', tenantId)
    .where('fromNumberHash', '=', fromNumberHash)
    .where('calledBackAt', '=', calledBackAt)
    .execute();
}
