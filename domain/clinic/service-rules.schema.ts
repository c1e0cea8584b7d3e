import { z } from 'zod';
import { nameText, text, externalIdText } from '../text/bounded-text.schema.ts';

/** The maximum duration of a service, and of its buffer. */
export const MINUTES_A_DAY = 1440;

/** Rules for the fields of a service, for the API, pages and command line: docs/professionals.md#services */
export const serviceRules = {
  name: nameText(200),
  description: text({ min: 1, max: 5000 }),
  durationMinutes: z.int().min(1).max(MINUTES_A_DAY),
  bufferMinutes: z.int().min(0).max(MINUTES_A_DAY),
  /** Stored with two decimals. */
  priceEur: z
    .string()
    .regex(/^\d{1,8}(\.\d{1,2})?$/, 'must be an amount in euro, for example 50.00')
    .transform((amount) => Number(amount).toFixed(2)),
  externalId: externalIdText,
};
