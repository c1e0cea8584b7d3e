import { AuditEventEntity } from '../db/entities/audit-event.entity.ts';
import type { EntityManager } from '../db/connection/open-database.ts';
import type { AuditAction } from '../domain/audit-action.ts';

/** Who asks, in which request, and when. Written to the timeline; never holds patient data. */
export interface CommandContext {
  /** `key:<api key id>`, `person:<person id>`, `portal:<portal link id>`, `patient`, `workflow:<workflow id>` or `operator`. */
  actor: string;
  /** Who the operator is: for the audit alone, clinics do not see it. */
  operator?: string;
  /** Of a portal link: the actor who made it, such as `key:<api key id>`, for the audit. */
  linkMadeBy?: string;
  requestId: string | null;
  /** W3C `traceparent` of the request, when someone follows it. */
  traceParent?: string | undefined;
  now: Date;
  /** No one is told: the timeline alone says what was done. */
  isQuiet?: boolean;
}

export interface Audited {
  action: AuditAction;
  tenantId: string | null;
  subjectId: string | null;
  /** Names of fields, scopes, statuses, numbers, where an endpoint was and is: nothing that a patient or a secret could be told from. */
  details?: Record<string, unknown>;
}

/** Writes down who did what, in the transaction that does it: docs/operations/audit-log.md */
export async function recordAudit(
  em: EntityManager,
  { details = {}, ...audited }: Audited,
  context: CommandContext,
): Promise<void> {
  const { requestId, linkMadeBy } = context;
  const all = linkMadeBy === undefined ? details : { ...details, linkMadeBy };
  await em.insert(AuditEventEntity, { ...audited, details: all, actor: auditActor(context), requestId });
}

/** Who did it, as the audit names them. */
export function auditActor({ actor, operator }: CommandContext): string {
  return operator === undefined ? actor : `${actor}:${operator}`;
}
