import { lockCall, type LockedCall } from '../../db/calls/lock-call.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { CallEntity, type CallRow } from '../../db/entities/call.entity.ts';
import { notFound } from '../../domain/service-error.ts';

/** @throws ServiceError `not_found` */
export function requireCall(em: EntityManager, tenantId: string, id: string): Promise<CallRow> {
  return em.findOneOrFail(CallEntity, { tenantId, id }, { failHandler: () => notFound('call', id) });
}

/** Holds the call until the transaction ends. @throws ServiceError `not_found` */
export async function holdCall(em: EntityManager, tenantId: string, id: string): Promise<LockedCall> {
  const locked = await lockCall(em, tenantId, id);
  if (!locked) throw notFound('call', id);
  return locked;
}
