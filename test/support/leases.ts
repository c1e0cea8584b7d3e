import { uuidv7 } from 'uuidv7';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { takeLease } from '../../db/outbox/lease-rows.ts';

/** A lease under which rows may be claimed; it lasts longer than any test. */
export async function aLease(em: EntityManager): Promise<string> {
  const workerId = uuidv7();
  await takeLease(em, workerId, 3600);
  return workerId;
}
