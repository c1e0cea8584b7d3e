import { sql } from 'kysely';
import { z } from 'zod';
import { notFound } from '../../domain/service-error.ts';
import { firstRow, tables, type EntityManager } from '../connection/statements.ts';

/** All tables with IDs, by the name that the glossary uses. */
const TABLES = {
  tenant: 'tenant',
  key: 'api_key',
  professional: 'professional',
  service: 'service_type',
  block: 'busy_block',
  appointment: 'appointment',
  hold: 'calendar_entry',
  call: 'call',
  recording: 'call_recording',
  endpoint: 'webhook_endpoint',
  delivery: 'webhook_delivery',
  replay: 'webhook_replay',
  notification: 'notification',
  event: 'webhook_event',
  request: 'request_log',
  person: 'person',
} as const;

/** Limits `calendar_entry` to holds. */
const IS_HOLD = sql`AND status = 'held'`;

const OWNED = z.object({
  kind: z.enum(Object.keys(TABLES) as (keyof typeof TABLES)[]),
  id: z.string(),
  tenantId: z.string(),
  tenantName: z.string(),
});
export type Owned = z.infer<typeof OWNED>;

/** The clinic that the professional or service belongs to. @throws ServiceError `not_found` */
export async function clinicOf(em: EntityManager, kind: 'professional' | 'service', id: string) {
  const owned = tables(em).selectFrom(TABLES[kind]).where('id', '=', id);
  const row = await owned.select('tenantId').executeTakeFirst();
  if (!row) throw notFound(kind, id);
  return row.tenantId;
}

/**
 * What an ID belongs to and which clinic owns it; null when there is no such row. @param id a UUID, or the ID of an
 * event
 */
export async function findOwner(em: EntityManager, id: string): Promise<Owned | null> {
  const isEvent = id.startsWith('evt_');
  const owned = Object.entries(TABLES)
    .filter(([kind]) => (kind === 'event') === isEvent)
    .map(
      ([kind, table]) =>
        sql`SELECT ${kind}::text AS kind, id::text, ${kind === 'tenant' ? sql`id` : sql`tenant_id`} AS tenant_id FROM ${sql.table(table)} WHERE id = ${id} ${kind === 'hold' ? IS_HOLD : sql``}`,
    );
  return firstRow(em, OWNED)`
    SELECT found.kind, found.id, tenant.id AS tenant_id, tenant.name AS tenant_name
    FROM (
      ${sql.join(owned, sql` UNION ALL `)}
    ) AS found
    JOIN tenant ON tenant.id = found.tenant_id
  `;
}
