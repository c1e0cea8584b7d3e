import { z } from 'zod';

/** Text of a bounded length, counted in characters as JSON Schema counts them, not in UTF-16 units. */
export function text({ min = 0, max }: { min?: number; max: number }) {
  return z
    .string()
    .meta({ ...(min > 0 && { minLength: min }), maxLength: max })
    .refine((value) => hasLength(value, min, max), `must have from ${min} to ${max} characters`);
}

/** A name: not empty and not blank. */
export function nameText(max: number) {
  return text({ min: 1, max }).regex(/\S/, 'must not be blank');
}

/** How many characters a rule made of `text` allows: for the field in which it is filled in. */
export function longest(rule: z.ZodType): number {
  const { maxLength } = rule.meta() ?? {};
  if (typeof maxLength !== 'number') throw new Error('a rule without a length');
  return maxLength;
}

function hasLength(value: string, min: number, max: number): boolean {
  const length = value.length > 2 * max ? value.length : Array.from(value).length;
  return length >= min && length <= max;
}

/** What the clinic's other system calls a thing of its own: docs/limits.md#field-lengths */
export const externalIdText = text({ min: 1, max: 128 });
