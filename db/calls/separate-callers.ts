import { run, type EntityManager } from '../connection/statements.ts';

/** Treats each call from these phones as a separate caller, because carriers send these numbers for many callers. */
export function separateCallers(em: EntityManager, tenantId: string, hashes: readonly string[]) {
  return run(em)`
    UPDATE call
    SET from_number_hash = left(from_number_hash, -64) || encode(sha256(convert_to(id::text, 'UTF8')), 'hex')
    WHERE tenant_id = ${tenantId} AND from_number_hash = ANY(${[...hashes]}::text[])
  `;
}
