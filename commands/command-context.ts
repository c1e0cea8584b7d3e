import { AuditEventEntity } from '../db/entities/audit-event.entity.ts';
import type { EntityManager } from '../db/connection/open-database.ts';
import type { AuditAction } from '../domain/audit-action.ts';

/** The actor, request and time of a command. Written to the timeline; never contains patient data. */
export interface CommandContext {
  /** `key:<api key id>`, `person:<person id>`, `portal:<portal link id>`, `patient`, `workflow:<workflow id>`, `worker` or `operator`. */
  actor: string;
  /** The operator's name for the activity log; clinics do not see it. */
  operator?: string;
  /** For a portal link: the actor who created the link, such as `key:<api key id>`, for the activity log. */
  linkMadeBy?: string;
  requestId: string | null;
  /** W3C `traceparent` of the request, with tracing on. */
  traceParent?: string | undefined;
  now: Date;
  /** Sends no events; the change is only recorded in the timeline. */
  isQuiet?: boolean;
}

export interface Audited {
  action: AuditAction;
  tenantId: string | null;
  subjectId: string | null;
  /** Names of fields, scopes, statuses, numbers, endpoint URLs: nothing that reveals a patient or a secret. */
  details?: Record<string, unknown>;
}

/** Records who did what, in the same transaction. Returns the id of the entry. docs/operations/audit-log.md */
export async function recordAudit(
  em: EntityManager,
  { details = {}, ...audited }: Audited,
  context: CommandContext,
): Promise<string> {
  const { requestId, linkMadeBy } = context;
  const all = linkMadeBy === undefined ? details : { ...details, linkMadeBy };
  return em.insert(AuditEventEntity, { ...audited, details: all, actor: auditActor(context), requestId });
}

/** The actor as recorded in the activity log. */
export function auditActor({ actor, operator }: CommandContext): string {
  return operator === undefined ? actor : `${actor}:${operator}`;
}
