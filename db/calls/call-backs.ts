import { sql } from 'kysely';
import type { CallRow } from '../entities/call.entity.ts';
import type { EntityManager } from '../connection/open-database.ts';

/** Of a row of `call`: somebody is to call the caller. As the index `call_to_return` has it, and domain/calls/call-back.ts. */
export const IS_TO_RETURN = sql`
  called_back_at IS NULL AND outcome IN ('handoff_to_human', 'voicemail', 'abandoned')
`;

/** How many calls since then wait for somebody to call back, `atMost` being counted. */
export async function countCallsToReturn(
  em: EntityManager,
  { tenantId, since }: { tenantId: string; since: Date },
  atMost: number,
): Promise<number> {
  const { rows } = await sql<{ calls: number }>`
    SELECT count(*)::integer AS calls
    FROM (
      SELECT FROM call WHERE tenant_id = ${tenantId} AND started_at >= ${since} AND ${IS_TO_RETURN} LIMIT ${atMost}
    ) AS waiting
  `.execute(em.getKysely());
  return rows[0]?.calls ?? 0;
}

type Caller = Pick<CallRow, 'tenantId' | 'fromNumberHash'>;

/** That call and the earlier ones of the same caller are answered; returns how many were not before. */
export async function closeCallBacks(
  em: EntityManager,
  { tenantId, fromNumberHash, startedAt }: Caller & Pick<CallRow, 'startedAt'>,
  { at, by }: { at: Date; by: string },
): Promise<number> {
  const { numAffectedRows } = await sql`
    UPDATE call
    SET called_back_at = ${at}, called_back_by = ${by}
    WHERE tenant_id = ${tenantId}
      AND from_number_hash = ${fromNumberHash}
      AND started_at <= ${startedAt}
      AND ${IS_TO_RETURN}
  `.execute(em.getKysely());
  return Number(numAffectedRows ?? 0n);
}

/** Takes back all that was answered by the same call back. */
export async function reopenCallBacks(
  em: EntityManager,
  { tenantId, fromNumberHash, calledBackAt }: Caller & Pick<CallRow, 'calledBackAt'>,
): Promise<void> {
  await sql`
    UPDATE call
    SET called_back_at = NULL, called_back_by = NULL
    WHERE tenant_id = ${tenantId}
      AND from_number_hash = ${fromNumberHash}
      AND called_back_at = ${calledBackAt}
  `.execute(em.getKysely());
}
