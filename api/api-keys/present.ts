import type { ApiKeyRow } from '../../db/entities/api-key.entity.ts';
import { presented } from '../contract/presented.ts';
import { apiKeySchema } from './contract.ts';

/** What may be shown of a key at any time; the key itself is shown only when it is made. */
export function presentApiKey(row: ApiKeyRow) {
  return presented(apiKeySchema, row);
}
