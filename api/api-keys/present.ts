import { presenter } from '../contract/presented.ts';
import { apiKeySchema } from './contract.ts';

/** What may be shown of a key at any time; the key itself is shown only when it is made. */
export const presentApiKey = presenter(apiKeySchema);
