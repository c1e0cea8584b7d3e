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

/** The field that holds what a form was made from. */
const SHOWN = 'shown';

const shownField = z
  .string()
  .transform((text) => Object.fromEntries(new URLSearchParams(text)))
  .catch({});

/** What stands in a form that is there to change something. */
export interface Edit<Reads> {
  values: Values<Reads>;
  /** What it was made from, which it carries. */
  stored: Values<Reads>;
  /** To be fixed. */
  wrong: ReadonlySet<NameOf<Reads>>;
  /** Changed by others too, to something else: it is to be looked at, and sent again. */
  contested: ReadonlySet<NameOf<Reads>>;
}

/** A form as it is shown first. */
export function editOf<Row, Reads>(fields: FormFields<Row, Reads>, row: Row): Edit<Reads> {
  const values = shownValues(fields, row);
  return { values, stored: values, wrong: new Set(), contested: new Set() };
}

/** A form as it was sent, when something in it was refused. */
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

/** A form that makes something. @param wrong of one that was sent */
export function blankEdit<Reads>(
  values: Values<Reads>,
  wrong: ReadonlySet<NameOf<Reads>> = new Set(),
): Edit<Reads> {
  return { values, stored: values, wrong, contested: new Set() };
}

/** What the form was made from. */
export function shownInput<Reads>({ stored }: Edit<Reads>): Html {
  return html`<input type="hidden" name="${SHOWN}" value="${new URLSearchParams(stored).toString()}" />`;
}

export interface EditOf<Row, Reads> {
  fields: FormFields<Row, Reads>;
  /** Reads the row, and keeps others from changing it until the transaction ends. */
  hold: (em: EntityManager) => Promise<Row>;
  /** @param changes the fields that were changed here @param values all of them, as they will stand in the form */
  save: (em: EntityManager, changes: Partial<Reads>, values: Values<Reads>) => Promise<unknown>;
}

/** `theirs`: what others have changed meanwhile, which stays. */
export type Edited<Row, Reads> =
  | { isSaved: true; theirs: NameOf<Reads>[] }
  | { isSaved: false; row: Row; edit: Edit<Reads> };

/**
 * Saves what was changed in a form, and only that: fields that were left alone keep what others have written meanwhile, and
 * so does a field that the form does not have. Nothing is saved while something is to be fixed or decided.
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

/** Those of the names that are fields of the form, from an address. */
export function fieldsNamed<Reads>(fields: FormFields<never, Reads>, text: string | null): NameOf<Reads>[] {
  const named = (text ?? '').split(',');
  return namesOf(fields).filter((name) => named.includes(name));
}
