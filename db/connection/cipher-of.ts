import type { ClinicCipher, ClinicCiphers } from '../../domain/encryption/clinic-ciphers.ts';
import { findClinicKey, insertClinicKey } from '../clinic/clinic-keys.ts';
import type { EntityManager } from './statements.ts';

const CIPHERS = new WeakMap<EntityManager['config'], ClinicCiphers>();

/** From now on the statements of this pool seal and open with these. */
export function giveCiphers(em: EntityManager, ciphers: ClinicCiphers): void {
  CIPHERS.set(em.config, ciphers);
}

function ciphersOf(em: EntityManager): ClinicCiphers {
  const ciphers = CIPHERS.get(em.config);
  if (!ciphers) throw new Error('this pool was opened without ciphers');
  return ciphers;
}

/**
 * What is stored sealed is opened by who reads it from the database, and sealed by who writes it: this is with what. Asks for a key that is not known here over the connection that is there already, which may be the only one to be had.
 */
export function cipherOf(em: EntityManager, tenantId: string): Promise<ClinicCipher> {
  return ciphersOf(em).of(tenantId, (id) => findClinicKey(em, id));
}

/** In the transaction that makes the clinic. */
export async function makeClinicKey(em: EntityManager, tenantId: string): Promise<void> {
  const key = ciphersOf(em).newKey(tenantId);
  if (key !== null) await insertClinicKey(em, tenantId, key);
}
