import { html, type Html } from '../../pages/html.ts';
import { notice } from '../layout/components.ts';
import type { FieldOptions } from '../layout/form.ts';
import type { View } from '../layout/view.ts';
import { fieldsNamed, type Edit } from './save-edit.ts';
import type { FormFields, NameOf } from './form-fields.ts';
import { EDIT_WORDS } from './words.ts';

/** What is said of the fields of a form; a hint is for those that need one. */
export interface FieldWords<Reads> {
  fields: Readonly<Record<NameOf<Reads>, string>>;
  hints: Readonly<Partial<Record<NameOf<Reads>, string>>>;
  wrong: Readonly<Partial<Record<NameOf<Reads>, string>>>;
}

/** What every input of a form is made of. @param said how a value reads that is not what people read */
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

/** How a box to tick reads. */
export function sayTicked({ language }: View): (value: string) => string {
  const { yes, no } = EDIT_WORDS[language];
  return (value) => (value === 'yes' ? yes : no);
}

/** That someone else was faster; nothing where no one was. */
export function contestedNotice<Reads>({ language }: View, { contested }: Edit<Reads>): Html | null {
  return contested.size === 0 ? null : notice('bad', EDIT_WORDS[language].contested);
}

/** The same to anyone who pressed a button. */
export function outdatedNotice({ language }: Pick<View, 'language'>): Html {
  return notice('bad', EDIT_WORDS[language].outdated);
}

/** 409 when someone else was faster, 422 when something is to be fixed. */
export function statusOf<Reads>({ wrong, contested }: Edit<Reads>): number {
  if (contested.size > 0) return 409;
  return wrong.size > 0 ? 422 : 200;
}

/** What the address of the page after a change says of it. */
export function savedQuery(theirs: readonly string[], saved = 'yes'): string {
  return new URLSearchParams({ saved, ...(theirs.length > 0 && { theirs: theirs.join() }) }).toString();
}

/** That it is saved, and what others have changed meanwhile; nothing unless the address says so. */
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
