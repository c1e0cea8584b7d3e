import { z } from 'zod';
import { onlyValue, run, type EntityManager } from '../connection/statements.ts';

const EXCHANGE = 'phone_hash:';

/**
 * Records that a change of the phone hash key has begun. Until it has ended, rows with the same phone may have two
 * hashes. @param prefix the prefix of hashes with the new key
 */
export function beginPhoneHashExchange(em: EntityManager, prefix: string) {
  return run(em)`
    INSERT INTO sealing_progress (table_name) VALUES (${EXCHANGE + prefix}) ON CONFLICT DO NOTHING
  `;
}

export function endPhoneHashExchange(em: EntityManager, prefix: string) {
  return run(em)`
    UPDATE sealing_progress SET done_at = now() WHERE table_name = ${EXCHANGE + prefix}
  `;
}

/**
 * A hash by which rows are found. While hashes are being recomputed, rows of one patient may have two different hashes.
 */
export type ExchangedHash = 'phone_hash' | 'name_hash';

/** Whether hashes are being recomputed. @param kind by default, both kinds */
export function isHashBeingExchanged(em: EntityManager, kind?: ExchangedHash) {
  return onlyValue(em, z.boolean())`
    SELECT EXISTS (
      SELECT FROM sealing_progress
      WHERE done_at IS NULL AND next_at = '-infinity' AND starts_with(table_name, ${kind ?? ''})
    )
  `;
}
