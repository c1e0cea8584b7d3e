import type { TenantRow } from '../../db/entities/tenant.entity.ts';
import { businessHoursSchema } from '../../domain/clinic/business-hours.schema.ts';
import { html, type Html, type Part } from '../../pages/html.ts';
import { contestedNotice, savedNotice, statusOf, type FieldWords } from '../edits/edit-parts.ts';
import type { FormFields } from '../edits/form-fields.ts';
import { editOf, shownInput, type Edit } from '../edits/save-edit.ts';
import { facts } from '../layout/components.ts';
import { form } from '../layout/form.ts';
import type { View } from '../layout/view.ts';
import { FRAME_WORDS } from '../layout/words.ts';
import type { Page } from '../page-request.ts';
import { weekForm, weekInputs, type ShownOfWeek } from '../week/week-form.ts';
import { WEEK_WORDS } from '../week/words.ts';
import { CLINIC_FORM, clinicInputs, type ShownOfClinic } from './clinic-form.ts';
import { RECEPTIONIST_FORM, receptionistInputs, type ShownOfReceptionist } from './receptionist-form.ts';
import { SETTINGS_WORDS } from './words.ts';

/** Settings are checked when they are saved. */
export const HOURS_FORM = weekForm(
  ({ config }: TenantRow) => businessHoursSchema.nullish().parse(config['businessHours']) ?? null,
);

/** Each is a form of its own. */
export const PARTS = ['clinic', 'hours', 'receptionist'] as const;
export type SettingsPart = (typeof PARTS)[number];

/** What stands in each form. */
export interface SettingsEdits {
  clinic: Edit<ShownOfClinic>;
  hours: Edit<ShownOfWeek>;
  receptionist: Edit<ShownOfReceptionist>;
}

/** As it is stored. */
export function settingsOf(tenant: TenantRow): SettingsEdits {
  return {
    clinic: editOf(CLINIC_FORM, tenant),
    hours: editOf(HOURS_FORM, tenant),
    receptionist: editOf(RECEPTIONIST_FORM, tenant),
  };
}

export interface Settings {
  tenant: TenantRow;
  edits: SettingsEdits;
  /** Of the page's address: what was saved. */
  query: URLSearchParams;
  /** Another clinic has the name of the booking page. */
  isTaken?: boolean;
}

export function settingsPage(view: View, { tenant, edits, query, isTaken = false }: Settings): Page {
  const { clinic, hours, receptionist } = SETTINGS_WORDS[view.language];
  const hourWords = { fields: { ...WEEK_WORDS[view.language].weekdays, always: hours.always } };
  const parts = [
    part(view, query, {
      name: 'clinic',
      title: clinic.title,
      fields: CLINIC_FORM,
      edit: edits.clinic,
      words: clinic,
      inputs: clinicInputs(view, edits.clinic, isTaken),
    }),
    part(view, query, {
      name: 'hours',
      title: hours.title,
      fields: HOURS_FORM,
      edit: edits.hours,
      words: hourWords,
      inputs: html`<p>${hours.text}</p>
        ${weekInputs(view, edits.hours, hours.always)}`,
    }),
    part(view, query, {
      name: 'receptionist',
      title: receptionist.title,
      fields: RECEPTIONIST_FORM,
      edit: edits.receptionist,
      words: receptionist,
      inputs: receptionistInputs(view, edits.receptionist),
    }),
  ];
  return {
    title: FRAME_WORDS[view.language].sections.settings,
    body: html`${parts} ${kept(view, tenant)}`,
    status: Math.max(...PARTS.map((name) => statusOf<never>(edits[name]))),
  };
}

interface ShownPart<Reads> {
  name: SettingsPart;
  title: string;
  fields: FormFields<TenantRow, Reads>;
  edit: Edit<Reads>;
  words: Pick<FieldWords<Reads>, 'fields'>;
  inputs: Part;
}

/** What became of a form stands where it was filled in. */
function part<Reads>(
  view: View,
  query: URLSearchParams,
  { name, title, fields, edit, words, inputs }: ShownPart<Reads>,
): Html {
  return html`<h2 id="${name}">${title}</h2>
    ${query.get('saved') === name && savedNotice(view, query, fields, words)} ${contestedNotice(view, edit)}
    ${form(
      view,
      { action: `/settings#${name}` },
      html`<input type="hidden" name="part" value="${name}" />
        ${shownInput(edit)} ${inputs}
        <p class="actions"><button>${SETTINGS_WORDS[view.language].save}</button></p>`,
    )}`;
}

/** What the clinic cannot change by itself. */
function kept(
  { language }: View,
  { email, phone, nif, address, postalCode, city, country }: TenantRow,
): Html {
  const { title, text, fields } = SETTINGS_WORDS[language].kept;
  const place = [address, [postalCode, city].filter(Boolean).join(' '), country].filter(Boolean).join(', ');
  return html`<h2>${title}</h2>
    <p>${text}</p>
    ${facts([
      [fields.email, email ?? '–'],
      [fields.phone, phone ?? '–'],
      [fields.nif, nif ?? '–'],
      [fields.address, place],
    ])}`;
}
