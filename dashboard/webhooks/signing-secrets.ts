import { endpointSecret } from '../../domain/encryption/sealed-places.ts';
import { cipherOf } from '../../db/connection/cipher-of.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { validSecrets, type ValidSecret } from '../../db/webhooks/endpoints/endpoint-secrets.ts';

export interface EndpointSecret extends Omit<ValidSecret, 'ciphertext'> {
  /** To compare and sign with; no page holds it. */
  secret: string;
}

/** What deliveries to the endpoint are signed with now, newest first; none for one that was deleted. */
export async function readSecrets(
  em: EntityManager,
  place: { tenantId: string; endpointId: string },
): Promise<EndpointSecret[]> {
  const cipher = await cipherOf(em, place.tenantId);
  const rows = await validSecrets(em, place);
  return rows.map(({ ciphertext, ...times }) => ({
    secret: cipher.decrypt(ciphertext, endpointSecret(place.tenantId, place.endpointId)),
    ...times,
  }));
}
