import { lineText, text } from '../bounded-text.schema.ts';

/** What is written of an endpoint, no matter who fills it in. */
export const endpointRules = {
  url: text({ min: 1, max: 2048 }),
  description: lineText({ max: 500 }),
};
