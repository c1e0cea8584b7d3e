import type { CallOutcome } from '../../domain/calls/call.ts';
import { unsealed } from '../../domain/encryption/sealed-value.ts';
import type { CallRow } from '../entities/call.entity.ts';
import { columnsBut, hasValues, tables, type EntityManager } from '../connection/statements.ts';
import { IS_TO_RETURN } from './call-backs.ts';

/** `metadata` may be 16 KiB for each call. */
const LISTED_COLUMNS = columnsBut('call', 'metadata');

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
export type CallPosition = Pick<CallRow, 'startedAt' | 'id'>;

/** The clinic's calls, latest start first, those after `after` only; without their metadata, which no list shows. */
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
  return rows.map((row) => ({ ...row, metadata: unsealed({}) }));
}
