import { z } from 'zod';
import { onlyValue, run, type EntityManager } from '../connection/statements.ts';

const EXCHANGE = 'phone_hash:';

/** From now until it has ended, rows of one phone may have two hashes. @param prefix of the hashes of the new key */
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

/** A hash by which rows are found. During an exchange, rows of one patient may have two. */
export type ExchangedHash = 'phone_hash' | 'name_hash';

/** @param kind both by default */
export function isHashBeingExchanged(em: EntityManager, kind?: ExchangedHash) {
  return onlyValue(em, z.boolean())`
    SELECT EXISTS (
      SELECT FROM sealing_progress
      WHERE done_at IS NULL AND next_at = '-infinity' AND starts_with(table_name, ${kind ?? ''})
    )
  `;
}
