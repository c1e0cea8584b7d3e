import { sql } from 'kysely';
import type { RecallDay } from '../../domain/recall.ts';
import type { EntityManager } from '../connection/open-database.ts';
import { tables } from '../connection/tables.ts';

/** Every value of `config.timezone` in use; null: clinics without one. */
export async function clinicTimezones(em: EntityManager): Promise<(string | null)[]> {
  const { rows } = await sql<{ timezone: string | null }>`
    SELECT DISTINCT config ->> 'timezone' AS timezone FROM tenant
  `.execute(em.getKysely());
  return rows.map(({ timezone }) => timezone);
}

/** Clinics that came since the last time are searched too. */
export async function addClinicsToRecallScan(em: EntityManager): Promise<void> {
  await sql`
    INSERT INTO recall_scan (tenant_id)
    SELECT id FROM tenant
    WHERE NOT EXISTS (SELECT FROM recall_scan WHERE tenant_id = tenant.id)
    ON CONFLICT DO NOTHING
  `.execute(em.getKysely());
}

export interface ClinicToScan {
  tenantId: string;
  tenantName: string;
  timezone: string | null;
  /** The key of the last patient that was looked at; empty at the beginning. */
  reachedKey: string;
}

/**
 * Holds the next clinic, in the order of ids from `from` on, whose search of the day has not come to its end. One that
 * another worker holds is left to it. @param open the time zones in which recalls may be sent now
 */
export async function lockClinicToScan(
  em: EntityManager,
  open: readonly (Pick<RecallDay, 'date'> & { timezone: string | null })[],
  from: string | null,
): Promise<ClinicToScan | null> {
  const timezones = open.map(({ timezone }) => timezone);
  const dates = open.map(({ date }) => date);
  const { rows } = await sql<ClinicToScan>`
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
  `.execute(tables(em));
  return rows[0] ?? null;
}

/** Writes down the key of the last patient that was looked at on `date`. */
export async function saveRecallProgress(
  em: EntityManager,
  tenantId: string,
  date: string,
  reachedKey: string,
): Promise<void> {
  await sql`
    UPDATE recall_scan
    SET scanning_on = coalesce(scanning_on, ${date}::date), reached_key = ${reachedKey}
    WHERE tenant_id = ${tenantId}
  `.execute(em.getKysely());
}

/**
 * Ends a clinic's search. One that took more than a day counts for the date on which it began, because the patients that
 * it looked at first may have come due since.
 */
export async function finishRecallScan(em: EntityManager, tenantId: string, date: string): Promise<void> {
  await sql`
    UPDATE recall_scan
    SET recall_scanned_on = coalesce(scanning_on, ${date}::date), scanning_on = NULL, reached_key = NULL
    WHERE tenant_id = ${tenantId}
  `.execute(em.getKysely());
}
