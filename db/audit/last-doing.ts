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
