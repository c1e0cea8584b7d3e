import { z } from 'zod';
import { nameText, text, externalIdText } from '../bounded-text.schema.ts';

/** How long a service may last, and how long its buffer. */
export const MINUTES_A_DAY = 1440;

/** What each field of a service may hold, no matter who fills it in: docs/professionals.md#services */
export const serviceRules = {
  name: nameText(200),
  description: text({ min: 1, max: 5000 }),
  durationMinutes: z.int().min(1).max(MINUTES_A_DAY),
  bufferMinutes: z.int().min(0).max(MINUTES_A_DAY),
  /** Kept with two decimals. */
  priceEur: z
    .string()
    .regex(/^\d{1,8}(\.\d{1,2})?$/, 'must be an amount in euro, for example 50.00')
    .transform((amount) => Number(amount).toFixed(2)),
  externalId: externalIdText,
};
