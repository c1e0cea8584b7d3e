import { isolated } from '../../domain/text/isolated-text.ts';
import { selfServiceRules } from '../../domain/clinic/self-service.ts';
import type { ServiceWithProfessionals } from '../../db/clinic/services.ts';
import type { TenantRow } from '../../db/entities/tenant.entity.ts';
import { clinicHoursOf } from '../../domain/clinic/hours/business-hours.ts';
import { html, type Html, type Part } from '../../pages/html.ts';
import { contestedNotice, savedNotice, statusOf, type FieldWords } from '../edits/edit-parts.ts';
import type { FormFields } from '../edits/form-fields.ts';
import { editOf, shownInput, type Edit } from '../edits/save-edit.ts';
import { facts, notice } from '../layout/components.ts';
import { form } from '../layout/form.ts';
import type { View } from '../layout/view.ts';
import type { Page } from '../serving/page-request.ts';
import { datesForm, type ShownOfDates } from '../week/dates-form.ts';
import { datesInputs, datesWords } from '../week/dates-inputs.ts';
import { copyButton, weekForm, weekInputs, type ShownOfWeek } from '../week/week-form.ts';
import { WEEK_WORDS } from '../week/words.ts';
import {
  BOOKING_FORM,
  bookingInputs,
  bookingState,
  type AddressProblem,
  type ShownOfBooking,
} from './booking-form.ts';
import { BOOKING_SETTINGS_WORDS } from './booking-words.ts';
import {
  CLINIC_FORM,
  clinicInputs,
  type ShownOfClinic,
  RECEPTIONIST_FORM,
  receptionistInputs,
  type ShownOfReceptionist,
} from './settings-forms.ts';
import { SETTINGS_WORDS } from './words.ts';

/** Settings are validated when saved. */
export const HOURS_FORM = weekForm(({ config }: TenantRow) => clinicHoursOf(config).week);

/** @param form the submission */
export function clinicDatesForm(row: TenantRow, form = new URLSearchParams()) {
  return datesForm(({ config }: TenantRow) => clinicHoursOf(config).special, { row, form });
}

/** The parts of the settings; each is a separate form. */
export const PARTS = ['clinic', 'hours', 'dates', 'receptionist', 'booking'] as const;
export type SettingsPart = (typeof PARTS)[number];

export const SETTINGS_ADDRESSES = [
  '/settings',
  '/settings/hours',
  '/settings/receptionist',
  '/settings/booking',
] as const;
export type SettingsAddress = (typeof SETTINGS_ADDRESSES)[number];

/** The page of a form. */
export const PAGE_OF: Record<SettingsPart, SettingsAddress> = {
  clinic: '/settings',
  hours: '/settings/hours',
  dates: '/settings/hours',
  receptionist: '/settings/receptionist',
  booking: '/settings/booking',
};

/** The state of each form. */
export interface SettingsEdits {
  clinic: Edit<ShownOfClinic>;
  hours: Edit<ShownOfWeek>;
  dates: Edit<ShownOfDates>;
  receptionist: Edit<ShownOfReceptionist>;
  booking: Edit<ShownOfBooking>;
}

/** The forms as they are for the stored clinic. */
export function settingsOf(tenant: TenantRow): SettingsEdits {
  return {
    clinic: editOf(CLINIC_FORM, tenant),
    hours: editOf(HOURS_FORM, tenant),
    dates: editOf(clinicDatesForm(tenant), tenant),
    receptionist: editOf(RECEPTIONIST_FORM, tenant),
    booking: editOf(BOOKING_FORM, tenant),
  };
}

export interface Settings {
  tenant: TenantRow;
  edits: SettingsEdits;
  /** The query string of the page's address, which says what was saved. */
  query: URLSearchParams;
  services: readonly ServiceWithProfessionals[];
  dashboardUrl: string;
  /** Why the booking page's address was refused. */
  addressProblem?: AddressProblem;
  areTooMany?: boolean;
}

/** One of the four pages of the settings. */
export function settingsPage(view: View, address: SettingsAddress, settings: Settings): Page {
  const { edits, areTooMany = false } = settings;
  const { title, body } = PAGES[address](view, settings);
  const shown = PARTS.filter((name) => PAGE_OF[name] === address);
  const status = areTooMany ? 422 : Math.max(...shown.map((name) => statusOf<never>(edits[name])));
  return { title, body, status };
}

const PAGES: Record<SettingsAddress, (view: View, settings: Settings) => Pick<Page, 'title' | 'body'>> = {
  '/settings': (view, { tenant, edits, query }) => {
    const { clinic } = SETTINGS_WORDS[view.language];
    const fields = part(view, query, {
      name: 'clinic',
      fields: CLINIC_FORM,
      edit: edits.clinic,
      words: clinic,
      inputs: clinicInputs(view, edits.clinic),
    });
    return { title: clinic.title, body: html`${fields} ${kept(view, tenant)}` };
  },
  '/settings/hours': (view, settings) => ({
    title: SETTINGS_WORDS[view.language].hours.title,
    body: html`${hoursParts(view, settings)}`,
  }),
  '/settings/receptionist': (view, { edits, query }) => {
    const { receptionist } = SETTINGS_WORDS[view.language];
    const body = part(view, query, {
      name: 'receptionist',
      fields: RECEPTIONIST_FORM,
      edit: edits.receptionist,
      words: receptionist,
      inputs: receptionistInputs(view, edits.receptionist),
    });
    return { title: receptionist.title, body };
  },
  '/settings/booking': (view, { tenant, edits, query, services, dashboardUrl, addressProblem }) => {
    const booking = BOOKING_SETTINGS_WORDS[view.language];
    const chosen = new Set(selfServiceRules(tenant.config).serviceTypeIds);
    // One that is no longer offered may still be chosen.
    const offered = services.filter(({ service: { id, active } }) => active || chosen.has(id));
    const shown = { edit: edits.booking, services: offered, problem: addressProblem ?? null };
    const body = part(view, query, {
      name: 'booking',
      fields: BOOKING_FORM,
      edit: edits.booking,
      words: booking,
      inputs: html`<p>${booking.text}</p>
        ${bookingInputs(view, shown)}`,
    });
    return { title: booking.title, body: html`${bookingState(view, tenant, dashboardUrl)} ${body}` };
  },
};

/** The week and the special dates. */
function hoursParts(view: View, { tenant, edits, query, areTooMany = false }: Settings): Html[] {
  const { hours } = SETTINGS_WORDS[view.language];
  const { dates, weekdays } = WEEK_WORDS[view.language];
  const datesFields = clinicDatesForm(tenant);
  return [
    part(view, query, {
      name: 'hours',
      fields: HOURS_FORM,
      edit: edits.hours,
      words: { fields: { ...weekdays, always: hours.always } },
      inputs: html`<p>${hours.text}</p>
        ${weekInputs(view, edits.hours, hours.always)}`,
      more: copyButton(view),
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
  /** The title of the form, if the page has several. */
  title?: string;
  fields: FormFields<TenantRow, Reads>;
  edit: Edit<Reads>;
  words: Pick<FieldWords<Reads>, 'fields'>;
  inputs: Part;
  /** Other buttons. */
  more?: Html;
}

/** A section of the page: a form, and the outcome of its last submission. */
function part<Reads>(
  view: View,
  query: URLSearchParams,
  { name, title, fields, edit, words, inputs, more }: ShownPart<Reads>,
): Html {
  return html`<div id="${name}">${title !== undefined && html`<h2>${title}</h2>`}</div>
    ${query.get('saved') === name && savedNotice(view, query, fields, words)} ${contestedNotice(view, edit)}
    ${form(
      view,
      { action: `${PAGE_OF[name]}#${name}` },
      html`<input type="hidden" name="part" value="${name}" />
        ${shownInput(edit)} ${inputs}
        <p class="actions">
          <button class="${name === 'dates' && 'second'}">${SETTINGS_WORDS[view.language].save}</button>
          ${more}
        </p>`,
    )}`;
}

/** Fields that the clinic cannot change. */
function kept(
  { language }: View,
  { email, phone, nif, address, postalCode, city, country }: TenantRow,
): Html {
  const { title, text, fields } = SETTINGS_WORDS[language].kept;
  const place = [address, [postalCode, city].filter(Boolean).join(' '), country]
    .map((part) => isolated(part ?? ''))
    .filter(Boolean)
    .join(', ');
  return html`<h2>${title}</h2>
    <p>${text}</p>
    ${facts([
      [fields.email, email ?? '–'],
      [fields.phone, phone ?? '–'],
      [fields.nif, nif ?? '–'],
      [fields.address, place],
    ])}`;
}
