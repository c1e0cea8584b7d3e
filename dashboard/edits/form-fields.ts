import type { z } from 'zod';

/** A form field: how its text is parsed, and its initial text for a row. */
export interface FormField<Row, Value> {
  read: z.ZodType<Value, string>;
  show: (row: Row) => string;
  /**
   * Reads the submitted text if it is not in an input of that name; undefined when the field is not part of the form.
   */
  sent?: (form: URLSearchParams) => string | undefined;
}

/**
 * All fields of a form by name. Showing and saving use the same list, so that no field is missing in either.
 * @template Reads the parsed values
 */
export type FormFields<Row, Reads> = {
  readonly [Name in keyof Reads]: FormField<Row, Reads[Name]>;
};

export type NameOf<Reads> = keyof Reads & string;

/** The texts of a form by field; multiple values are lines. */
export type Values<Reads> = Readonly<Record<NameOf<Reads>, string>>;

/** The parsed values, or the invalid fields. */
export type ReadForm<Reads, Wrong extends string> =
  | { read: Reads; wrong: null }
  | { read: null; wrong: ReadonlySet<Wrong> };

export function namesOf<Reads>(fields: FormFields<never, Reads>): NameOf<Reads>[] {
  return Object.keys(fields) as NameOf<Reads>[];
}

/** The initial texts for a row. */
export function shownValues<Row, Reads>(fields: FormFields<Row, Reads>, row: Row): Values<Reads> {
  return valuesBy(namesOf(fields), (name) => inOneForm(fields[name].show(row)));
}

/** The submitted texts; fields that are not in the form are missing. */
export function sentValues<Reads>(
  fields: FormFields<never, Reads>,
  form: URLSearchParams,
): Partial<Values<Reads>> {
  const names = namesOf(fields).filter((name) => sentOf(fields[name], name, form) !== undefined);
  return valuesBy(names, (name) => sentOf(fields[name], name, form) ?? '');
}

/** Empty texts, except for the given ones. */
export function blankValues<Reads>(
  fields: FormFields<never, Reads>,
  given: Partial<Values<Reads>> = {},
): Values<Reads> {
  return valuesBy(namesOf(fields), (name) => given[name] ?? '');
}

/** Parses all fields of a form that creates something. */
export function readAll<Reads>(
  fields: FormFields<never, Reads>,
  values: Values<Reads>,
): ReadForm<Reads, NameOf<Reads>> {
  return readValues(fields, values) as ReadForm<Reads, NameOf<Reads>>;
}

/** Parses the given fields. */
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
  // Checkboxes also send an empty value, to show that the form has them.
  const values = form.getAll(name).filter((value) => value !== '');
  return inOneForm(values.join('\n'));
}

/** Normalises line ends and trims invisible space. */
function inOneForm(text: string): string {
  return text.replaceAll('\r\n', '\n').trim();
}
