import { sql } from 'kysely';
import {
  countColumns,
  limitsOf,
  secondsOf,
  toCountedRequest,
  type CountColumns,
  type CountedRequest,
} from './rate-limit.ts';
import type { RateLimit } from '../../domain/rate-limits.ts';
import type { EntityManager } from '../connection/open-database.ts';

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
  const { rows } = await sql<CountColumns>`
    SELECT ${countColumns()}
    FROM count_request(${subject}, ${limitsOf(limits)}, ${secondsOf(limits)}, ${at ?? null}) AS count
  `.execute(em.getKysely());
  const [row] = rows;
  if (!row) throw new Error('count_request() returned nothing');
  return toCountedRequest(row, limits);
}
