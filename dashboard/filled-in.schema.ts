import { z } from 'zod';
import { text } from '../domain/bounded-text.schema.ts';

/** A line or more that must be filled in. */
export function required(max: number) {
  return filledIn().pipe(text({ min: 1, max }));
}

/** Null when it was left empty. */
export function optional<Schema extends z.ZodType<string, string>>(schema: Schema) {
  return filledIn().pipe(z.union([z.literal('').transform(() => null), schema]));
}

/** Browsers end lines as mail does. */
function filledIn() {
  return z
    .string()
    .default('')
    .transform((given) => given.replaceAll('\r\n', '\n').trim());
}
