import { sql } from 'kysely';
import { tables, type EntityManager, type RowOf } from '../../connection/statements.ts';

/** Encrypted. The newest has no end: it goes on until it is rotated. */
export type ValidSecret = RowOf<'webhook_secret', 'ciphertext' | 'createdAt' | 'expiresAt'>;

/** What deliveries to the endpoint are signed with now, newest first; at most five. */
export function validSecrets(
  em: EntityManager,
  { tenantId, endpointId }: { tenantId: string; endpointId: string },
): Promise<ValidSecret[]> {
  const now = sql<Date>`clock_timestamp()`;
  return tables(em)
    .selectFrom('webhook_secret')
    .select(['ciphertext', 'createdAt', 'expiresAt'])
    .where('tenantId', '=', tenantId)
    .where('endpointId', '=', endpointId)
    .where((secret) => secret.or([secret('expiresAt', 'is', null), secret('expiresAt', '>', now)]))
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .execute();
}
