import type { AuditAction } from '../../domain/audit-action.ts';
import type { EntityManager } from '../connection/open-database.ts';
import { AuditEventEntity, type AuditEventRow } from '../entities/audit-event.entity.ts';

export interface AuditEventQuery {
  tenantId?: string | undefined;
  actor?: string | undefined;
  action?: AuditAction | readonly AuditAction[] | undefined;
  subjectId?: string | readonly string[] | undefined;
  since?: Date | undefined;
  /** Exclusive. */
  until?: Date | undefined;
  /** The id of the last entry already shown. */
  before?: string | undefined;
  /** By default, all entries. */
  limit?: number | undefined;
}

/** Audit entries, newest first. */
export function listAuditEvents(em: EntityManager, wanted: AuditEventQuery): Promise<AuditEventRow[]> {
  const { since, until, before, limit, ...filters } = wanted;
  const given = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
  const where = {
    ...given,
    ...((since || until) && { at: { ...(since && { $gte: since }), ...(until && { $lt: until }) } }),
    ...(before && { id: { $lt: before } }),
  };
  return em.find(AuditEventEntity, where, { orderBy: { id: 'desc' }, ...(limit !== undefined && { limit }) });
}

/** When this action was last done to a subject; null if never, or if the entry is no longer stored. */
export function findLastDoing(
  em: EntityManager,
  sought: { tenantId: string; subjectId: string; action: AuditAction },
): Promise<AuditEventRow | null> {
  return em.findOne(AuditEventEntity, sought, { orderBy: { id: 'desc' } });
}

/** The id of the newest entry of all clinics; later entries have higher ids. Empty when there is none. */
export async function findNewestDoing(em: EntityManager): Promise<string> {
  const [newest] = await em.find(AuditEventEntity, {}, { orderBy: { id: 'desc' }, limit: 1 });
  return newest?.id ?? '';
}
