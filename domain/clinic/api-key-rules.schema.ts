import { nameText } from '../bounded-text.schema.ts';

/** What is written of an API key, whoever fills it in. */
export const apiKeyRules = {
  name: nameText(200),
};
