import type { ClinicCipher, ClinicCiphers } from '../../domain/encryption/clinic-ciphers.ts';
import { findClinicKey, insertClinicKey } from '../clinic/clinic-keys.ts';
import type { EntityManager } from './statements.ts';

const CIPHERS = new WeakMap<EntityManager['config'], ClinicCiphers>();

/** Sets the ciphers for the statements of this pool. */
export function giveCiphers(em: EntityManager, ciphers: ClinicCiphers): void {
  CIPHERS.set(em.config, ciphers);
}

function ciphersOf(em: EntityManager): ClinicCiphers {
  const ciphers = CIPHERS.get(em.config);
  if (!ciphers) throw new Error('this connection pool was opened without encryption keys');
  return ciphers;
}

/**
 * The cipher of a clinic, for reading and writing its encrypted columns. A key that is not cached is loaded with the
 * current connection, because no other may be free.
 */
export function cipherOf(em: EntityManager, tenantId: string): Promise<ClinicCipher> {
  return ciphersOf(em).of(tenantId, (id) => findClinicKey(em, id));
}

/** Creates the clinic's encryption key. Call this in the transaction that creates the clinic. */
export async function makeClinicKey(em: EntityManager, tenantId: string): Promise<void> {
  const key = ciphersOf(em).newKey(tenantId);
  if (key !== null) await insertClinicKey(em, tenantId, key);
}
