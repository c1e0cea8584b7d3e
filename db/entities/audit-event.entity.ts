import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import type { AuditAction } from '../../domain/audit-action.ts';

/** Who changed or exported what. Rows are added and never changed; they contain no patient data. */
export const AuditEventEntity = defineEntity({
  name: 'AuditEvent',
  tableName: 'audit_event',
  properties: {
    id: p.uuid().primary().defaultRaw('uuid_v7()'),
    at: p.datetime(3).defaultRaw('now()'),
    /** Null for actions that concern no clinic, such as re-encryption. */
    tenantId: p.uuid().strictNullable(),
    /** `operator:<name>`, `key:<api key id>` or `workflow:<workflow id>`. */
    actor: p.text(),
    action: p.text().$type<AuditAction>(),
    /** The id of the subject; null when there is no single one. */
    subjectId: p.text().strictNullable(),
    requestId: p.uuid().strictNullable(),
    /** Names of fields, scopes, statuses, numbers. */
    details: p.json<Record<string, unknown>>().defaultRaw(`'{}'`),
  },
});
export type AuditEventRow = InferEntity<typeof AuditEventEntity>;
