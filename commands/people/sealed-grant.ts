import { providerGrantSchema, type ProviderGrant } from '../../adapters/identity/identity-provider.ts';
import type { SecretCipher } from '../../adapters/encryption/secret-cipher.ts';
import { providerGrant } from '../../domain/encryption/sealed-places.ts';
import { nullIfUnreadable } from '../../domain/encryption/text-cipher.ts';

interface GrantPlace {
  tenantId: string | null;
  /** The session's id. */
  id: string;
}

export function sealGrant(cipher: SecretCipher, place: GrantPlace, grant: ProviderGrant): string {
  return cipher.encrypt(JSON.stringify(grant), providerGrant(place));
}

/**
 * The decrypted tokens; null when there are none or no listed key decrypts them. The session can then not be confirmed
 * and ends.
 */
export function openGrant(cipher: SecretCipher, place: GrantPlace, sealed: string | null) {
  if (sealed === null) return null;
  return nullIfUnreadable(() =>
    providerGrantSchema.parse(JSON.parse(cipher.decrypt(sealed, providerGrant(place)))),
  );
}
