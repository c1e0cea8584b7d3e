import type { EntityManager } from '../../connection/open-database.ts';
import { AuditEventEntity, type AuditEventRow } from '../../entities/audit-event.entity.ts';

/** Who sent an endpoint the last test event, and which; null when nobody has, or it is no longer kept. */
export function findLatestTest(
  em: EntityManager,
  { tenantId, endpointId }: { tenantId: string; endpointId: string },
): Promise<AuditEventRow | null> {
  return em.findOne(
    AuditEventEntity,
    { tenantId, subjectId: endpointId, action: 'endpoint.tested' },
    { orderBy: { id: 'desc' } },
  );
}
