import { run, type EntityManager } from '../connection/statements.ts';

/**
 * Holds these professionals of the clinic until the transaction ends, in one order for everybody, so that moves between the
 * same ones wait instead of deadlocking.
 */
export function lockProfessionals(em: EntityManager, tenantId: string, ids: readonly string[]) {
  return run(em)`
    SELECT id FROM professional
    WHERE tenant_id = ${tenantId}
      AND id = ANY(${[...ids]}::uuid[])
    ORDER BY id
    FOR NO KEY UPDATE
  `;
}
