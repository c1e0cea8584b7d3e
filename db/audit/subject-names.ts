import { sql } from 'kysely';
import { z } from 'zod';
import { openRows } from '../encryption/field-seal.ts';
import { BusyBlockEntity } from '../entities/busy-block.entity.ts';
import { rowsOf, type EntityManager } from '../connection/statements.ts';
import type { AuditEventRow } from '../entities/audit-event.entity.ts';

const NAMED = z.object({ id: z.string(), name: z.string() });
const ID = /^[0-9a-f-]{36}$/;

/**
 * The names of the subjects of activity log entries, by ID: professionals, services, blocks, keys, people, and the
 * hosts of endpoints. Deleted subjects have no name.
 */
export async function findSubjectNames(
  em: EntityManager,
  tenantId: string,
  events: readonly Pick<AuditEventRow, 'subjectId'>[],
): Promise<Map<string, string>> {
  const ids = [...new Set(events.map(({ subjectId }) => subjectId ?? ''))].filter((id) => ID.test(id));
  if (ids.length === 0) return new Map();
  const named = sql`tenant_id = ${tenantId} AND id = ANY(${ids}::uuid[])`;
  const rows = await rowsOf(em, NAMED)`
    SELECT id, name FROM professional WHERE ${named}
    UNION ALL
    SELECT id, name FROM service_type WHERE ${named}
    UNION ALL
    SELECT id, name FROM api_key WHERE ${named}
    UNION ALL
    SELECT id, name FROM person WHERE ${named}
    UNION ALL
    SELECT id, coalesce(nullif(description, ''), split_part(split_part(url, '://', 2), '/', 1))
    FROM webhook_endpoint WHERE ${named}
  `;
  return new Map([
    ...rows.map(({ id, name }): [string, string] => [id, name]),
    ...(await titles(em, tenantId, ids)),
  ]);
}

/** Titles of blocks, which are encrypted. */
async function titles(em: EntityManager, tenantId: string, ids: string[]): Promise<[string, string][]> {
  const stored = await em.find(BusyBlockEntity, { tenantId, id: { $in: ids } });
  const blocks = await openRows(em, 'busyBlock', stored);
  return blocks.flatMap(({ id, title }): [string, string][] => (title === null ? [] : [[id, title]]));
}
