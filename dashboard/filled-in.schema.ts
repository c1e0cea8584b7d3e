import { z } from 'zod';

/** A required field with the given rule. */
export function required<Rule extends z.ZodType<string, string>>(rule: Rule) {
  return z.string().pipe(rule);
}

/** A field that may be empty, which gives null. */
export function optional<Value>(rule: z.ZodType<Value, string>) {
  return z.union([z.literal('').transform(() => null), rule]);
}

/** A checkbox. */
export const ticked = z.string().transform((value) => value === 'yes');

/** The checkbox's value. */
export function showTicked(isTicked: boolean): string {
  return isTicked ? 'yes' : '';
}

/** The values of several checkboxes, one per line. */
export const severalTicked = z.string().transform((lines) => lines.split('\n').filter((line) => line !== ''));

/** The text of several values, in a fixed order. */
export function showSeveral(values: readonly string[]): string {
  return [...values].sort().join('\n');
}

/** The submitted values of the checkboxes with this name. */
export function sentOfSeveral(name: string): (form: URLSearchParams) => string | undefined {
  return (form) => {
    if (!form.has(name)) return undefined;
    return showSeveral(form.getAll(name).filter((value) => value !== ''));
  };
}
