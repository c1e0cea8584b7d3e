import { nameText } from '../text/bounded-text.schema.ts';

/** Rules for the fields of an API key, for the API, pages and command line. */
export const apiKeyRules = {
  name: nameText(200),
};
