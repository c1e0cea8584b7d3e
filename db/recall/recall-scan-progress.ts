import { z } from 'zod';
import type { RecallDay } from '../../domain/recall.ts';
import { firstRow, run, valuesOf, type EntityManager } from '../connection/statements.ts';

/** Every value of `config.timezone` in use; null: clinics without one. */
export function clinicTimezones(em: EntityManager) {
  return valuesOf(em, z.string().nullable())`
    SELECT DISTINCT config ->> 'timezone' AS timezone FROM tenant
  `;
}

/** Adds clinics that were created since the last time. */
export function addClinicsToRecallScan(em: EntityManager) {
  return run(em)`
    INSERT INTO recall_scan (tenant_id)
    SELECT id FROM tenant
    WHERE NOT EXISTS (SELECT FROM recall_scan WHERE tenant_id = tenant.id)
    ON CONFLICT DO NOTHING
  `;
}

const CLINIC_TO_SCAN = z.object({
  tenantId: z.string(),
  tenantName: z.string(),
  timezone: z.string().nullable(),
  /** The key of the last patient checked; empty at first. */
  reachedKey: z.string(),
});
export type ClinicToScan = z.infer<typeof CLINIC_TO_SCAN>;

/**
 * Locks the next clinic, ordered by ID from `from` on, whose search of the day is not finished. Skips clinics that
 * another worker has locked. @param open the time zones in which recalls may be sent now
 */
export function lockClinicToScan(
  em: EntityManager,
  open: readonly (Pick<RecallDay, 'date'> & { timezone: string | null })[],
  from: string | null,
) {
  const timezones = open.map(({ timezone }) => timezone);
  const dates = open.map(({ date }) => date);
  return firstRow(em, CLINIC_TO_SCAN)`
    SELECT
      scan.tenant_id, tenant.name AS tenant_name, open.timezone, coalesce(scan.reached_key, '') AS reached_key
    FROM recall_scan scan
    JOIN tenant ON tenant.id = scan.tenant_id
    JOIN unnest(${timezones}::text[], ${dates}::date[]) AS open (timezone, today)
      ON open.timezone IS NOT DISTINCT FROM tenant.config ->> 'timezone'
    WHERE (${from}::uuid IS NULL OR scan.tenant_id >= ${from}::uuid)
      AND (scan.recall_scanned_on IS NULL OR scan.recall_scanned_on < open.today)
    ORDER BY scan.tenant_id
    LIMIT 1
    FOR NO KEY UPDATE OF scan SKIP LOCKED
  `;
}

/** Saves the key of the last patient checked on `date`. */
export function saveRecallProgress(em: EntityManager, tenantId: string, date: string, reachedKey: string) {
  return run(em)`
    UPDATE recall_scan
    SET scanning_on = coalesce(scanning_on, ${date}::date), reached_key = ${reachedKey}
    WHERE tenant_id = ${tenantId}
  `;
}

/**
 * Finishes a clinic's search. A search that took more than a day counts for the date on which it began, because
 * patients checked early may have become due since then.
 */
export function finishRecallScan(em: EntityManager, tenantId: string, date: string) {
  return run(em)`
    UPDATE recall_scan
    SET recall_scanned_on = coalesce(scanning_on, ${date}::date), scanning_on = NULL, reached_key = NULL
    WHERE tenant_id = ${tenantId}
  `;
}
