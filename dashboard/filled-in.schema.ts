import { z } from 'zod';

/** What must be filled in, by the rule of its field. */
export function required<Rule extends z.ZodType<string, string>>(rule: Rule) {
  return z.string().pipe(rule);
}

/** Null when it was left empty. */
export function optional<Value>(rule: z.ZodType<Value, string>) {
  return z.union([z.literal('').transform(() => null), rule]);
}

/** A box to tick. */
export const ticked = z.string().transform((value) => value === 'yes');

/** As the box has it. */
export function showTicked(isTicked: boolean): string {
  return isTicked ? 'yes' : '';
}

/** What was ticked of several boxes, a line each. */
export const severalTicked = z.string().transform((lines) => lines.split('\n').filter((line) => line !== ''));

/** As the boxes have it, in one order. */
export function showSeveral(values: readonly string[]): string {
  return [...values].sort().join('\n');
}

/** What was sent of several boxes with this name. */
export function sentOfSeveral(name: string): (form: URLSearchParams) => string | undefined {
  return (form) => {
    if (!form.has(name)) return undefined;
    return showSeveral(form.getAll(name).filter((value) => value !== ''));
  };
}
