import { z } from 'zod';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { html, type Html } from '../../pages/html.ts';
import type { ClinicRequest } from '../serving/page-request.ts';
import {
  namesOf,
  readValues,
  sentValues,
  shownValues,
  type FormFields,
  type NameOf,
  type Values,
} from './form-fields.ts';
import { mergeValues } from './merge-values.ts';

/** The hidden field with the values that the form was built from. */
const SHOWN = 'shown';

const shownField = z
  .string()
  .transform((text) => Object.fromEntries(new URLSearchParams(text)))
  .catch({});

/** The state of a form that changes something. */
export interface Edit<Reads> {
  values: Values<Reads>;
  /** The values from which the form was built; they are sent back with it. */
  stored: Values<Reads>;
  /** Invalid fields. */
  wrong: ReadonlySet<NameOf<Reads>>;
  /** Fields that others changed too: the person must check and submit again. */
  contested: ReadonlySet<NameOf<Reads>>;
}

/** A form as it is first shown. */
export function editOf<Row, Reads>(fields: FormFields<Row, Reads>, row: Row): Edit<Reads> {
  const values = shownValues(fields, row);
  return { values, stored: values, wrong: new Set(), contested: new Set() };
}

/** A submitted form after a refusal. */
export function sentEdit<Row, Reads>(
  fields: FormFields<Row, Reads>,
  { row, form, wrong }: { row: Row; form: URLSearchParams; wrong: ReadonlySet<NameOf<Reads>> },
): Edit<Reads> {
  const stored = shownValues(fields, row);
  const { values, contested } = mergeValues({
    shown: shownIn<Reads>(form),
    sent: sentValues(fields, form),
    stored,
  });
  return { values, stored, wrong, contested };
}

/** A form that creates something. @param wrong invalid fields of a submission */
export function blankEdit<Reads>(
  values: Values<Reads>,
  wrong: ReadonlySet<NameOf<Reads>> = new Set(),
): Edit<Reads> {
  return { values, stored: values, wrong, contested: new Set() };
}

/** The hidden field. */
export function shownInput<Reads>({ stored }: Edit<Reads>): Html {
  return html`<input type="hidden" name="${SHOWN}" value="${new URLSearchParams(stored).toString()}" />`;
}

export interface EditOf<Row, Reads> {
  fields: FormFields<Row, Reads>;
  /** Reads and locks the row until the transaction ends. */
  hold: (em: EntityManager) => Promise<Row>;
  /** @param changes the changed fields @param values all texts of the form afterwards */
  save: (em: EntityManager, changes: Partial<Reads>, values: Values<Reads>) => Promise<unknown>;
}

/** The result; `theirs` are fields that others changed, which stay. */
export type Edited<Row, Reads> =
  | { isSaved: true; theirs: NameOf<Reads>[] }
  | { isSaved: false; row: Row; edit: Edit<Reads> };

/**
 * Saves only the fields that were changed in a form; other fields keep changes by others. Saves nothing while a field
 * is invalid or in conflict.
 */
export function saveEdit<Row, Reads>(
  { form, write }: Pick<ClinicRequest, 'form' | 'write'>,
  { fields, hold, save }: EditOf<Row, Reads>,
): Promise<Edited<Row, Reads>> {
  const shown = shownIn<Reads>(form);
  const sent = sentValues(fields, form);
  return write(async (em): Promise<Edited<Row, Reads>> => {
    const row = await hold(em);
    const stored = shownValues(fields, row);
    const { values, changed, theirs, contested } = mergeValues({ shown, sent, stored });
    const { read, wrong } = readValues(fields, changed);
    if (!read || contested.size > 0)
      return { isSaved: false, row, edit: { values, stored, wrong: wrong ?? new Set(), contested } };
    if (Object.keys(read).length > 0) await save(em, read, values);
    return { isSaved: true, theirs };
  });
}

function shownIn<Reads>(form: URLSearchParams): Partial<Values<Reads>> {
  return shownField.parse(form.get(SHOWN) ?? '') as Partial<Values<Reads>>;
}

/** The names that are fields of the form, from an address. */
export function fieldsNamed<Reads>(fields: FormFields<never, Reads>, text: string | null): NameOf<Reads>[] {
  const named = (text ?? '').split(',');
  return namesOf(fields).filter((name) => named.includes(name));
}
