import type { AlsoEnded } from '../../commands/clinic/change-api-key.ts';
import type { ApiKeyRow } from '../../db/entities/api-key.entity.ts';
import { presenter } from '../../domain/presented.schema.ts';
import { apiKeySchema } from './contract.ts';

/** The fields of a key that may always be shown; the key itself is shown only when it is created. */
export const presentApiKey = presenter(apiKeySchema);

/** A revoked key, with the other keys and the sessions that were revoked together with it. */
export function presentRevokedKey({ key, alsoEnded }: { key: ApiKeyRow; alsoEnded: AlsoEnded }) {
  return { ...presentApiKey(key), alsoEnded };
}
