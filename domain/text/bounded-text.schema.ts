import { z } from 'zod';
import { composed, problemOfText } from './bounded-text.ts';

interface Bounds {
  min?: number;
  max: number;
}

/** Text that may have several lines, of a bounded length. */
export function text({ min = 0, max }: Bounds) {
  return bounded({ min, max, isOneLine: false });
}

/** One line of text in NFC, without control, bidirectional or invisible characters. */
export function lineText({ min = 0, max }: Bounds) {
  return bounded({ min, max, isOneLine: true });
}

/** A name: not empty and not blank. */
export function nameText(max: number) {
  return lineText({ min: 1, max });
}

/** The maximum length in a `text` rule, for its form field. */
export function longest(rule: z.ZodType): number {
  const { maxLength } = rule.meta() ?? {};
  if (typeof maxLength !== 'number') throw new Error('a text rule has no length');
  return maxLength;
}

/** An id in the clinic's other system: docs/limits.md#field-lengths */
export const externalIdText = lineText({ min: 1, max: 128 });

function bounded({ min, max, isOneLine }: { min: number; max: number; isOneLine: boolean }) {
  const rule = { min, max, isOneLine };
  const said = isOneLine ? z.string().overwrite(composed) : z.string();
  return said
    .refine((value) => problemOfText(value, rule) === null, {
      error: ({ input }) => problemOfText(String(input), rule) ?? undefined,
    })
    .meta({ ...(min > 0 && { minLength: min }), maxLength: max });
}
