import type { TenantRow } from '../../db/entities/tenant.entity.ts';
import { businessHoursSchema } from '../../domain/clinic/business-hours.schema.ts';
import { timezoneOf } from '../../domain/clinic/business-hours.ts';
import { SPECIALTIES } from '../../domain/clinic/tenant.ts';
import { html, type Html } from '../../pages/html.ts';
import { facts, notice } from '../layout/components.ts';
import { choice, field, form, longField, tickBox } from '../layout/form.ts';
import type { View } from '../layout/view.ts';
import { FRAME_WORDS } from '../layout/words.ts';
import type { Page } from '../page-request.ts';
import { businessHoursFields, writeBusinessHours } from './business-hours-form.ts';
import { SETTINGS_WORDS } from './words.ts';

/** Each is a form of its own, so that two people who change different things do not undo each other's work. */
export const PARTS = ['clinic', 'hours', 'receptionist'] as const;
export type Part = (typeof PARTS)[number];

/** What was sent and is to be mended. */
export interface Mistake {
  part: Part;
  given: URLSearchParams;
  /** Names of words for what is wrong, by field. */
  wrong: ReadonlyMap<string, string>;
}

export function settingsPage(
  view: View,
  tenant: TenantRow,
  { saved, mistake }: { saved?: Part | undefined; mistake?: Mistake },
): Page {
  const words = SETTINGS_WORDS[view.language];
  const part = (name: Part, title: string, stored: URLSearchParams, fields: PartFields) => {
    const own = mistake?.part === name ? mistake : null;
    const body = html`<input type="hidden" name="part" value="${name}" />
      ${fields(view, own?.given ?? stored, own?.wrong ?? new Map())}
      <p class="actions"><button>${words.save}</button></p>`;
    // What became of it stands where it was filled in.
    return html`<h2 id="${name}">${title}</h2>
      ${saved === name && notice('good', words.saved)} ${form(view, { action: `/settings#${name}` }, body)}`;
  };
  return {
    title: FRAME_WORDS[view.language].sections.settings,
    body: html`${part('clinic', words.clinic, clinicOf(tenant), clinicFields)}
    ${part('hours', words.hours, hoursOf(tenant), hoursFields)}
    ${part('receptionist', words.receptionist, receptionistOf(tenant), receptionistFields)}
    ${kept(view, tenant)}`,
    status: mistake ? 422 : 200,
  };
}

type PartFields = (view: View, given: URLSearchParams, wrong: ReadonlyMap<string, string>) => Html;

function fieldOf({ language }: View, given: URLSearchParams, wrong: ReadonlyMap<string, string>) {
  const words = SETTINGS_WORDS[language];
  return (name: string) => {
    const problem = wrong.get(name);
    return {
      name,
      label: words.fields[name] ?? name,
      value: given.get(name) ?? '',
      hint: words.hints[name],
      error: problem === undefined ? undefined : words.wrong[problem],
    };
  };
}

function clinicOf({ name, specialty, publicSlug, publicBookingEnabled, config }: TenantRow): URLSearchParams {
  return new URLSearchParams({
    name,
    specialty,
    publicSlug: publicSlug ?? '',
    publicBookingEnabled: publicBookingEnabled ? 'yes' : '',
    timezone: timezoneOf(config),
  });
}

function clinicFields(view: View, given: URLSearchParams, wrong: ReadonlyMap<string, string>): Html {
  const words = SETTINGS_WORDS[view.language];
  const of = fieldOf(view, given, wrong);
  const zones = new Set([given.get('timezone') ?? '', ...Intl.supportedValuesOf('timeZone')]);
  return html`${field({ ...of('name'), isRequired: true, maxLength: 200 })}
  ${choice({
    ...of('specialty'),
    options: SPECIALTIES.map((value) => ({ value, label: words.specialties[value] })),
  })}
  ${choice({ ...of('timezone'), options: [...zones].map((zone) => ({ value: zone, label: zone })) })}
  ${field({ ...of('publicSlug'), maxLength: 63 })}
  ${tickBox(
    'publicBookingEnabled',
    words.fields['publicBookingEnabled'] ?? '',
    given.get('publicBookingEnabled') === 'yes',
  )}`;
}

function hoursOf({ config }: TenantRow): URLSearchParams {
  // Settings are checked when they are saved.
  return writeBusinessHours(businessHoursSchema.nullish().parse(config['businessHours']) ?? null);
}

function hoursFields(view: View, given: URLSearchParams, wrong: ReadonlyMap<string, string>): Html {
  const words = SETTINGS_WORDS[view.language];
  return html`<p>${words.hoursText}</p>
    ${wrong.size > 0 && notice('bad', words.wrong['businessHours'])} ${businessHoursFields(view, given)}`;
}

function receptionistOf({ config }: TenantRow): URLSearchParams {
  const known: Record<string, unknown> = { ...config, ...Object(config['retention']) };
  const names = ['voice', 'voiceSpeed', 'greeting', 'fallbackHumanNumber', 'transcriptDays', 'recordingDays'];
  return new URLSearchParams(names.map((name): [string, string] => [name, shown(known[name])]));
}

function shown(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function receptionistFields(view: View, given: URLSearchParams, wrong: ReadonlyMap<string, string>): Html {
  const of = fieldOf(view, given, wrong);
  return html`${longField({ ...of('greeting'), maxLength: 2000 })}
  ${field({ ...of('voice'), maxLength: 200 })} ${field(of('voiceSpeed'))}
  ${field({ ...of('fallbackHumanNumber'), maxLength: 100 })} ${field(of('transcriptDays'))}
  ${field(of('recordingDays'))}`;
}

/** What the clinic cannot change by itself. */
function kept(
  { language }: View,
  { email, phone, nif, address, postalCode, city, country }: TenantRow,
): Html {
  const { kept: title, keptText, keptFields } = SETTINGS_WORDS[language];
  const place = [address, [postalCode, city].filter(Boolean).join(' '), country].filter(Boolean).join(', ');
  return html`<h2>${title}</h2>
    <p>${keptText}</p>
    ${facts([
      [keptFields.email, email ?? '–'],
      [keptFields.phone, phone ?? '–'],
      [keptFields.nif, nif ?? '–'],
      [keptFields.address, place],
    ])}`;
}
