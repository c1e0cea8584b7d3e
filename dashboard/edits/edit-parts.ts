import { html, type Html } from '../../pages/html.ts';
import { notice } from '../layout/components.ts';
import type { FieldOptions } from '../layout/form.ts';
import type { View } from '../layout/view.ts';
import { fieldsNamed, type Edit } from './save-edit.ts';
import type { FormFields, NameOf } from './form-fields.ts';
import { EDIT_WORDS } from './words.ts';

/** Labels and optional hints of a form's fields. */
export interface FieldWords<Reads> {
  fields: Readonly<Record<NameOf<Reads>, string>>;
  hints: Readonly<Partial<Record<NameOf<Reads>, string>>>;
  wrong: Readonly<Partial<Record<NameOf<Reads>, string>>>;
}

/** Common options of a form's inputs. @param said formats a raw value for people */
export function inputsOf<Reads>(
  { language, format }: View,
  { values, stored, wrong, contested }: Edit<Reads>,
  words: FieldWords<Reads>,
  said: Partial<Record<NameOf<Reads>, (value: string) => string>> = {},
) {
  const { now, nothing } = EDIT_WORDS[language];
  const problemWith = (name: NameOf<Reads>) => {
    const text = words.wrong[name];
    if (wrong.has(name)) return text && format.withPhone(text);
    if (!contested.has(name)) return undefined;
    return now((said[name]?.(stored[name]) ?? stored[name]) || nothing);
  };
  return (name: NameOf<Reads>): FieldOptions & { value: string } => ({
    name,
    label: words.fields[name],
    value: values[name],
    hint: words.hints[name],
    error: problemWith(name),
  });
}

/** Formats a checkbox's value. */
export function sayTicked({ language }: View): (value: string) => string {
  const { yes, no } = EDIT_WORDS[language];
  return (value) => (value === 'yes' ? yes : no);
}

/** A notice that someone else changed the same fields; null without a conflict. */
export function contestedNotice<Reads>({ language }: View, { contested }: Edit<Reads>): Html | null {
  return contested.size === 0 ? null : notice('bad', EDIT_WORDS[language].contested);
}

/** A notice that the page was outdated when a button was pressed. */
export function outdatedNotice({ language }: Pick<View, 'language'>): Html {
  return notice('bad', EDIT_WORDS[language].outdated);
}

/** The response status: 409 for a conflict, 422 for invalid input. */
export function statusOf<Reads>({ wrong, contested }: Edit<Reads>): number {
  if (contested.size > 0) return 409;
  return wrong.size > 0 ? 422 : 200;
}

/** The query string of the page after a change. */
export function savedQuery(theirs: readonly string[], saved = 'yes'): string {
  return new URLSearchParams({ saved, ...(theirs.length > 0 && { theirs: theirs.join() }) }).toString();
}

/** A confirmation with the fields that others changed; null if the address does not request it. */
export function savedNotice<Reads>(
  { language }: View,
  query: URLSearchParams,
  fields: FormFields<never, Reads>,
  words: Pick<FieldWords<Reads>, 'fields'>,
): Html | null {
  if (!query.has('saved')) return null;
  const { saved, alsoChanged } = EDIT_WORDS[language];
  const theirs = fieldsNamed(fields, query.get('theirs')).map((name) => words.fields[name]);
  const others = theirs.length > 0 && html`<br />${alsoChanged(theirs.join(', '))}`;
  return notice('good', html`${saved}${others}`);
}
