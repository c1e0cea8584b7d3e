import { sql } from 'kysely';

/** For a FROM: the clinic whose check is due first, which no other process checks meanwhile. */
export function nextDueClinic(checks: 'acknowledgement_watch' | 'reminder_scan', now: Date) {
  return sql`
    SELECT due.tenant_id, tenant.config ->> 'timezone' AS timezone
    FROM ${sql.table(checks)} due
    JOIN tenant ON tenant.id = due.tenant_id
    WHERE due.check_at <= ${now}::timestamptz
      AND tenant.status <> 'canceled'
    ORDER BY due.check_at
    LIMIT 1
    FOR NO KEY UPDATE OF due SKIP LOCKED
  `;
}
