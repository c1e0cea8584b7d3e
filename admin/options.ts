import { z } from 'zod';
import { lineText } from '../domain/text/bounded-text.schema.ts';
import { emailAddress } from '../domain/clinic/email-address.schema.ts';
import { E164 } from '../domain/phone-number.ts';

/** The placeholder of an option without a value. */
export const NO_VALUE = '';

/** Adds an option's help; apply it last, because wrapped schemas have their own. */
export function option<Schema extends z.ZodType>(schema: Schema, placeholder: string, description: string) {
  return schema.meta({ placeholder, description });
}

export const text = (longest: number) =>
  z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(longest, `must have at most ${longest} characters`)
    .pipe(lineText({ max: longest }));

/** The path of a directory or file, used exactly as typed. */
export const localPath = z.string().trim().min(1, 'must not be empty');

/** Trimmed text that follows its field's rule. */
export function written<Rule extends z.ZodType<string, string>>(rule: Rule) {
  return z.string().trim().pipe(rule);
}

/** An option that can be empty, to clear the field. */
export function clearable<Schema extends z.ZodType<unknown, string>>(schema: Schema) {
  return z.union([z.literal('').transform(() => null), schema], {
    error: (issue) => firstMessage(schema, issue.input),
  });
}

/** An option without a value: `--all`. */
export function flag(description: string) {
  return option(yesOrNo.default(false), NO_VALUE, description);
}

export const id = z.guid('must be an id such as 0198c5ae-7c1e-7d53-9d6c-0c8e4a3f2b10').toLowerCase();
export const email = emailAddress;
export const phone = z.string().regex(E164, 'must be in E.164 form such as +351211234567');
export const country = z.string().regex(/^[A-Z]{2}$/, 'must be two capital letters such as PT');
export const instant = z.iso
  .datetime({ offset: true, error: 'must be a time with offset such as 2026-03-01T00:00:00Z' })
  .transform((time) => new Date(time));
export const yesOrNo = z.stringbool({
  truthy: ['true'],
  falsy: ['false'],
  case: 'sensitive',
  error: 'must be `true` or `false`',
});

export function oneOf<const Values extends readonly string[]>(values: Values) {
  return z.enum(values, `must be one of ${values.join(', ')}`);
}

export function wholeNumber(least: number, most: number) {
  const message = `must be a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .pipe(z.number().min(least, message).max(most, message));
}

/** `a,b`; an empty text is an empty list. */
export function listOf<Item extends z.ZodType<unknown, string>>(item: Item) {
  return z
    .string()
    .transform((list) => (list.trim() === '' ? [] : list.split(',').map((part) => part.trim())))
    .pipe(z.array(item));
}

/** The id of the command's subject. */
export function idOf(what: string) {
  return option(id, 'id', `id of the ${what}`);
}

function firstMessage(schema: z.ZodType, input: unknown): string | undefined {
  return schema.safeParse(input).error?.issues[0]?.message;
}
