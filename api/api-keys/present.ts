import type { AlsoEnded } from '../../commands/clinic/change-api-key.ts';
import type { ApiKeyRow } from '../../db/entities/api-key.entity.ts';
import { presenter } from '../../domain/presented.schema.ts';
import { apiKeySchema } from './contract.ts';

/** What may be shown of a key at any time; the key itself is shown only when it is made. */
export const presentApiKey = presenter(apiKeySchema);

/** A key that was revoked, with what ended together with it. */
export function presentRevokedKey({ key, alsoEnded }: { key: ApiKeyRow; alsoEnded: AlsoEnded }) {
  return { ...presentApiKey(key), alsoEnded };
}
