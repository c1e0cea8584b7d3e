import { lockCall, type LockedCall } from '../../db/calls/locked-call.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { CallEntity, type CallRow } from '../../db/entities/calls/call.entity.ts';
import { requireFound } from '../require-found.ts';

/** @throws ServiceError `not_found` */
export async function requireCall(em: EntityManager, tenantId: string, id: string): Promise<CallRow> {
  return requireFound(await em.findOne(CallEntity, { tenantId, id }), 'call', id);
}

/** Locks the call until the transaction ends. @throws ServiceError `not_found` */
export async function requireLockedCall(
  em: EntityManager,
  tenantId: string,
  id: string,
): Promise<LockedCall> {
  return requireFound(await lockCall(em, tenantId, id), 'call', id);
}
