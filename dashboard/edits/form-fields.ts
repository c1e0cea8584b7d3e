import type { z } from 'zod';

/** A field of a form: how what stands in it is read, and what of a row stands in it at first. */
export interface FormField<Row, Value> {
  read: z.ZodType<Value, string>;
  show: (row: Row) => string;
  /** What was sent of it, when its name is not that of an input. Undefined: the form does not have it. */
  sent?: (form: URLSearchParams) => string | undefined;
}

/**
 * The fields of a form by name, with all that a page needs of them in one place, so that none can be shown and not saved, or
 * saved and not shown.
 * @template Reads what they are saved as
 */
export type FormFields<Row, Reads> = {
  readonly [Name in keyof Reads]: FormField<Row, Reads[Name]>;
};

export type NameOf<Reads> = keyof Reads & string;

/** What stands in a form, by field; several values of one are lines. */
export type Values<Reads> = Readonly<Record<NameOf<Reads>, string>>;

/** What was read, or which fields are to be fixed. */
export type ReadForm<Reads, Wrong extends string> =
  | { read: Reads; wrong: null }
  | { read: null; wrong: ReadonlySet<Wrong> };

export function namesOf<Reads>(fields: FormFields<never, Reads>): NameOf<Reads>[] {
  return Object.keys(fields) as NameOf<Reads>[];
}

/** What of a row stands in the form at first. */
export function shownValues<Row, Reads>(fields: FormFields<Row, Reads>, row: Row): Values<Reads> {
  return valuesBy(namesOf(fields), (name) => inOneForm(fields[name].show(row)));
}

/** What was sent; a field that the form does not have is missing. */
export function sentValues<Reads>(
  fields: FormFields<never, Reads>,
  form: URLSearchParams,
): Partial<Values<Reads>> {
  const names = namesOf(fields).filter((name) => sentOf(fields[name], name, form) !== undefined);
  return valuesBy(names, (name) => sentOf(fields[name], name, form) ?? '');
}

/** Nothing in any field but those that are given. */
export function blankValues<Reads>(
  fields: FormFields<never, Reads>,
  given: Partial<Values<Reads>> = {},
): Values<Reads> {
  return valuesBy(namesOf(fields), (name) => given[name] ?? '');
}

/** All fields of a form that makes something. */
export function readAll<Reads>(
  fields: FormFields<never, Reads>,
  values: Values<Reads>,
): ReadForm<Reads, NameOf<Reads>> {
  return readValues(fields, values) as ReadForm<Reads, NameOf<Reads>>;
}

/** Those fields that are given. */
export function readValues<Reads>(
  fields: FormFields<never, Reads>,
  given: Partial<Values<Reads>>,
): ReadForm<Partial<Reads>, NameOf<Reads>> {
  const names = namesOf(fields).filter((name) => given[name] !== undefined);
  const results = names.map((name) => [name, fields[name].read.safeParse(given[name])] as const);
  const wrong = results.filter(([, { success }]) => !success).map(([name]) => name);
  if (wrong.length > 0) return { read: null, wrong: new Set(wrong) };
  const read = Object.fromEntries(results.map(([name, { data }]) => [name, data]));
  return { read: read as Partial<Reads>, wrong: null };
}

function valuesBy<Name extends string>(
  names: readonly Name[],
  make: (name: Name) => string,
): Record<Name, string> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, string>;
}

function sentOf(
  { sent }: Pick<FormField<never, unknown>, 'sent'>,
  name: string,
  form: URLSearchParams,
): string | undefined {
  if (sent) return sent(form);
  if (!form.has(name)) return undefined;
  // Boxes to tick send an empty value too, so that the form is known to have them.
  const values = form.getAll(name).filter((value) => value !== '');
  return inOneForm(values.join('\n'));
}

/** Browsers end lines as mail does, and no one sees what surrounds a text. */
function inOneForm(text: string): string {
  return text.replaceAll('\r\n', '\n').trim();
}
