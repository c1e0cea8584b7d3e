import { run, type EntityManager } from '../../connection/statements.ts';
import { keyIdOf, type NewHold } from './insert-hold.ts';

/**
 * Locks the key and the call that ask for a hold until the transaction ends. Whoever releases other holds on the way locks
 * them first: as all who hold a time do, so that nobody who has them waits for a slot of somebody who wants them.
 */
export async function lockHolder(em: EntityManager, { tenantId, heldBy, callId }: NewHold): Promise<void> {
  await run(em)`
    SELECT FROM api_key WHERE tenant_id = ${tenantId} AND id = ${keyIdOf(heldBy)}::uuid FOR NO KEY UPDATE
  `;
  await run(em)`
    SELECT FROM call WHERE tenant_id = ${tenantId} AND id = ${callId}::uuid FOR NO KEY UPDATE
  `;
}
