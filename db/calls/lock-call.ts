import { CallEntity, type CallRow } from '../entities/call.entity.ts';
import { lockWithClinic, type Locked } from '../connection/locks/lock-with-clinic.ts';
import type { EntityManager } from '../connection/open-database.ts';
import { rowReader } from '../connection/row-reader.ts';

const callReader = rowReader<CallRow>(CallEntity);

export interface LockedCall extends Locked {
  call: CallRow;
}

/** Holds a call, which may be changed, until the transaction ends. */
export async function lockCall(em: EntityManager, tenantId: string, id: string): Promise<LockedCall | null> {
  const locked = await lockWithClinic(em, callReader, { tenantId, id });
  return locked && { ...locked, call: em.map(CallEntity, locked.row) };
}
