import { lineText, text } from '../text/bounded-text.schema.ts';

/** Rules for an endpoint's fields, for the API, pages and command line. */
export const endpointRules = {
  url: text({ min: 1, max: 2048 }),
  description: lineText({ max: 500 }),
};
