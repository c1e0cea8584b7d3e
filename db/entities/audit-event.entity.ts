import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import type { AuditAction } from '../../domain/audit-action.ts';

/** Who changed what, or took it out. Rows are added and never changed; they hold no patient's data. */
export const AuditEventEntity = defineEntity({
  name: 'AuditEvent',
  tableName: 'audit_event',
  properties: {
    id: p.uuid().primary().defaultRaw('uuid_v7()'),
    at: p.datetime(3).defaultRaw('now()'),
    /** Null for what is no one's, such as the encryption of everything. */
    tenantId: p.uuid().strictNullable(),
    /** `operator:<name>`, `key:<api key id>` or `workflow:<workflow id>`. */
    actor: p.text(),
    action: p.text().$type<AuditAction>(),
    /** Id of what it was done to; null when that is nothing single. */
    subjectId: p.text().strictNullable(),
    requestId: p.uuid().strictNullable(),
    /** Names of fields, scopes, statuses, numbers. */
    details: p.json<Record<string, unknown>>().defaultRaw(`'{}'`),
  },
});
export type AuditEventRow = InferEntity<typeof AuditEventEntity>;
