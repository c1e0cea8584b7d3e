import { z } from 'zod';

/** What must be filled in, by the rule of its field. */
export function required<Rule extends z.ZodType<string, string>>(rule: Rule) {
  return filledIn().pipe(rule);
}

/** Null when it was left empty. */
export function optional<Rule extends z.ZodType<string, string>>(rule: Rule) {
  return filledIn().pipe(z.union([z.literal('').transform(() => null), rule]));
}

/** Browsers end lines as mail does. */
function filledIn() {
  return z
    .string()
    .default('')
    .transform((given) => given.replaceAll('\r\n', '\n').trim());
}
