import { endpointSecret } from '../../domain/encryption/sealed-places.ts';
import { cipherOf } from '../../db/connection/cipher-of.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { validSecrets, type ValidSecret } from '../../db/webhooks/endpoints/endpoint-secrets.ts';

export interface EndpointSecret extends Omit<ValidSecret, 'ciphertext'> {
  /** The secret for comparing and signing; never shown. */
  secret: string;
}

/** The secrets that sign deliveries to the endpoint now, newest first; none for a deleted endpoint. */
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
