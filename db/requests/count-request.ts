import {
  COUNT_COLUMNS,
  limitsOf,
  secondsOf,
  toCountedRequest,
  type CountColumns,
  type CountedRequest,
} from './rate-limit.ts';
import type { RateLimit } from '../../domain/rate-limits.ts';
import { onlyRow, type EntityManager } from '../connection/statements.ts';

/**
 * Accepts and counts one request of `subject`, or refuses it uncounted, against all limits at once.
 * @param at the clock of the database unless told
 */
export async function countRequest(
  em: EntityManager,
  subject: string,
  limits: readonly RateLimit[],
  at?: Date,
): Promise<CountedRequest> {
  const row = await onlyRow<CountColumns>(em)`
    SELECT ${COUNT_COLUMNS}
    FROM count_request(${subject}, ${limitsOf(limits)}, ${secondsOf(limits)}, ${at ?? null}) AS count
  `;
  return toCountedRequest(row, limits);
}
