import type { AuditAction } from '../../domain/audit-action.ts';
import { AuditEventEntity, type AuditEventRow } from '../entities/audit-event.entity.ts';
import type { EntityManager } from '../connection/open-database.ts';

export interface SoughtDoing {
  tenantId: string;
  subjectId: string;
  /** Anybody's, and anything, unless told. */
  actor?: string;
  action?: AuditAction;
}

/** What was done to something last; null when nothing was, or it is no longer kept. */
export function findLastDoing(em: EntityManager, sought: SoughtDoing): Promise<AuditEventRow | null> {
  return em.findOne(AuditEventEntity, sought, { orderBy: { id: 'desc' } });
}

/** The id of the newest entry of all clinics; what is done later has a higher one. Empty where there is none. */
export async function findNewestDoing(em: EntityManager): Promise<string> {
  const [newest] = await em.find(AuditEventEntity, {}, { orderBy: { id: 'desc' }, limit: 1 });
  return newest?.id ?? '';
}
