import { sql } from 'kysely';
import { z } from 'zod';
import type { TimeRange } from '../../domain/appointments/slot.ts';
import { changedRows, onlyValue, rowsOf, type EntityManager } from '../connection/statements.ts';

/** A blocked time whose affected patients are to choose another one. */
export interface AffectingBlock extends TimeRange {
  id: string;
  tenantId: string;
  /** Null: the whole clinic. */
  professionalId: string | null;
}

/** How many affected patients left an address and have not been asked for another time. */
export function countToAsk(em: EntityManager, block: AffectingBlock, now: Date): Promise<number> {
  return onlyValue(em, z.number())`
    SELECT count(*)::integer FROM patient_email WHERE ${isToAsk(block, now)}
  `;
}

/** Asks them. Returns how many. */
export function askAffected(em: EntityManager, block: AffectingBlock, now: Date): Promise<number> {
  return changedRows(em)`
    UPDATE patient_email
    SET block_id = ${block.id}, block_told_at = NULL, due_at = clock_timestamp()
    WHERE ${isToAsk(block, now)}
  `;
}

/** Appointments that have begun, or are cancelled, are not asked about. */
function isToAsk({ id, tenantId, professionalId, from, until }: AffectingBlock, now: Date) {
  return sql`
    patient_email.tenant_id = ${tenantId}
    AND refused_at IS NULL
    AND block_id IS DISTINCT FROM ${id}::uuid
    AND appointment_id IN (
      SELECT id
      FROM appointment
      WHERE tenant_id = ${tenantId}
        AND status = 'confirmed'
        AND starts_at > ${now}::timestamptz
        AND starts_at < ${until}::timestamptz
        AND ends_at > ${from}::timestamptz
        AND (${professionalId}::uuid IS NULL OR professional_id = ${professionalId}::uuid)
    )
  `;
}

const ASKED = z.object({
  appointmentId: z.string(),
  isRefused: z.boolean(),
  isAsked: z.boolean(),
  askedAt: z.date().nullable(),
});
/** A patient who left an address. `isAsked` without `askedAt`: the mail is on its way. */
export type AskedPatient = z.infer<typeof ASKED>;

/** The patients of these appointments who left an address, and whether they were asked because of the block. */
export function findAsked(
  em: EntityManager,
  { id, tenantId }: Pick<AffectingBlock, 'id' | 'tenantId'>,
  appointmentIds: readonly string[],
): Promise<AskedPatient[]> {
  return rowsOf(em, ASKED)`
    SELECT
      appointment_id,
      refused_at IS NOT NULL AS is_refused,
      block_id IS NOT DISTINCT FROM ${id}::uuid AS is_asked,
      CASE WHEN block_id = ${id}::uuid THEN block_told_at END AS asked_at
    FROM patient_email
    WHERE tenant_id = ${tenantId}
      AND appointment_id = ANY(${[...appointmentIds]}::uuid[])
  `;
}
