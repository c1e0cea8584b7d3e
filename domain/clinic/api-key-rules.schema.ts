import { nameText } from '../bounded-text.schema.ts';

/** What is written of an API key, no matter who fills it in. */
export const apiKeyRules = {
  name: nameText(200),
};
