import type { TenantRow } from '../../db/entities/tenant.entity.ts';
import { clinicHoursOf } from '../../domain/clinic/business-hours.ts';
import { html, type Html, type Part } from '../../pages/html.ts';
import { contestedNotice, savedNotice, statusOf, type FieldWords } from '../edits/edit-parts.ts';
import type { FormFields } from '../edits/form-fields.ts';
import { editOf, shownInput, type Edit } from '../edits/save-edit.ts';
import { facts, notice } from '../layout/components.ts';
import { form } from '../layout/form.ts';
import type { View } from '../layout/view.ts';
import { FRAME_WORDS } from '../layout/words.ts';
import type { Page } from '../page-request.ts';
import { datesForm, type ShownOfDates } from '../week/dates-form.ts';
import { datesInputs, datesWords } from '../week/dates-inputs.ts';
import { weekForm, weekInputs, type ShownOfWeek } from '../week/week-form.ts';
import { WEEK_WORDS } from '../week/words.ts';
import { CLINIC_FORM, clinicInputs, type ShownOfClinic } from './clinic-form.ts';
import { RECEPTIONIST_FORM, receptionistInputs, type ShownOfReceptionist } from './receptionist-form.ts';
import { SETTINGS_WORDS } from './words.ts';

/** Settings are checked when they are saved. */
export const HOURS_FORM = weekForm(({ config }: TenantRow) => clinicHoursOf(config).week);

/** @param form what was sent */
export function clinicDatesForm(row: TenantRow, form = new URLSearchParams()) {
  return datesForm(({ config }: TenantRow) => clinicHoursOf(config).special, { row, form });
}

/** Each is a form of its own. */
export const PARTS = ['clinic', 'hours', 'dates', 'receptionist'] as const;
export type SettingsPart = (typeof PARTS)[number];

/** What stands in each form. */
export interface SettingsEdits {
  clinic: Edit<ShownOfClinic>;
  hours: Edit<ShownOfWeek>;
  dates: Edit<ShownOfDates>;
  receptionist: Edit<ShownOfReceptionist>;
}

/** As it is stored. */
export function settingsOf(tenant: TenantRow): SettingsEdits {
  return {
    clinic: editOf(CLINIC_FORM, tenant),
    hours: editOf(HOURS_FORM, tenant),
    dates: editOf(clinicDatesForm(tenant), tenant),
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
  areTooMany?: boolean;
}

export function settingsPage(view: View, settings: Settings): Page {
  const { tenant, edits, query, isTaken = false, areTooMany = false } = settings;
  const { clinic, receptionist } = SETTINGS_WORDS[view.language];
  const clinicPart = part(view, query, {
    name: 'clinic',
    title: clinic.title,
    fields: CLINIC_FORM,
    edit: edits.clinic,
    words: clinic,
    inputs: clinicInputs(view, edits.clinic, isTaken),
  });
  const receptionistPart = part(view, query, {
    name: 'receptionist',
    title: receptionist.title,
    fields: RECEPTIONIST_FORM,
    edit: edits.receptionist,
    words: receptionist,
    inputs: receptionistInputs(view, edits.receptionist),
  });
  return {
    title: FRAME_WORDS[view.language].sections.settings,
    body: html`${clinicPart} ${hoursParts(view, settings)} ${receptionistPart} ${kept(view, tenant)}`,
    status: areTooMany ? 422 : Math.max(...PARTS.map((name) => statusOf<never>(edits[name]))),
  };
}

/** The week, and the dates on which it does not count. */
function hoursParts(view: View, { tenant, edits, query, areTooMany = false }: Settings): Html[] {
  const { hours } = SETTINGS_WORDS[view.language];
  const { dates, weekdays } = WEEK_WORDS[view.language];
  const datesFields = clinicDatesForm(tenant);
  return [
    part(view, query, {
      name: 'hours',
      title: hours.title,
      fields: HOURS_FORM,
      edit: edits.hours,
      words: { fields: { ...weekdays, always: hours.always } },
      inputs: html`<p>${hours.text}</p>
        ${weekInputs(view, edits.hours, hours.always)}`,
    }),
    part(view, query, {
      name: 'dates',
      title: dates.title,
      fields: datesFields,
      edit: edits.dates,
      words: datesWords(view, datesFields),
      inputs: html`${areTooMany && notice('bad', dates.tooMany)}
        <p>${dates.text}</p>
        ${datesInputs(view, edits.dates)}`,
    }),
  ];
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
