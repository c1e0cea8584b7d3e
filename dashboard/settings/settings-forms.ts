import { z } from 'zod';
import { updateTenant, type UpdateTenant } from '../../commands/clinic/update-tenant.ts';
import type { CommandContext } from '../../commands/command-context.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import type { TenantRow } from '../../db/entities/tenant.entity.ts';
import { longest } from '../../domain/text/bounded-text.schema.ts';
import { timezoneOf } from '../../domain/clinic/hours/business-hours.ts';
import { timezoneSchema, tenantConfigSchema } from '../../domain/clinic/tenant-config.schema.ts';
import { SPECIALTIES } from '../../domain/clinic/tenant.ts';
import { tenantRules } from '../../domain/clinic/tenant-rules.schema.ts';
import type { Html } from '../../pages/html.ts';
import { inputsOf } from '../edits/edit-parts.ts';
import type { FormFields, NameOf, FormField, Values } from '../edits/form-fields.ts';
import type { Edit } from '../edits/save-edit.ts';
import { required, optional } from '../filled-in.schema.ts';
import { choice, field, longField } from '../layout/form.ts';
import type { View } from '../layout/view.ts';
import type { ShownOfBooking } from './booking-form.ts';
import { SETTINGS_WORDS } from './words.ts';

/** The clinic's own fields except `config` and online booking, and of `config` those about the whole clinic. */
export type ShownOfClinic = Required<Omit<UpdateTenant, 'tenantId' | 'config' | keyof ShownOfBooking>> & {
  timezone: string;
  acknowledgeWithinMinutes: number | null;
  reminders: Reminders | null;
};

type Reminders = NonNullable<z.output<typeof tenantConfigSchema>['reminders']>;

const wholeNumber = z.string().transform(Number);
const { acknowledgeWithinMinutes, reminders } = tenantConfigSchema.shape;
/** Numbers with anything between them. */
const severalNumbers = z.string().transform((text) => ({
  hoursBefore: text.split(/[\s,;]+/).map(Number),
}));

export const CLINIC_FORM: FormFields<TenantRow, ShownOfClinic> = {
  name: { read: required(tenantRules.name), show: ({ name }) => name },
  specialty: { read: z.enum(SPECIALTIES), show: ({ specialty }) => specialty },
  timezone: { read: timezoneSchema, show: ({ config }) => timezoneOf(config) },
  acknowledgeWithinMinutes: ofConfig(
    'acknowledgeWithinMinutes',
    optional(wholeNumber.pipe(acknowledgeWithinMinutes.unwrap())),
  ),
  reminders: {
    read: optional(severalNumbers.pipe(reminders.unwrap())),
    show: ({ config }) => reminders.safeParse(config['reminders']).data?.hoursBefore.join(', ') ?? '',
  },
};

export function clinicInputs(view: View, edit: Edit<ShownOfClinic>): Html[] {
  const { clinic, specialties } = SETTINGS_WORDS[view.language];
  const nameOf: Readonly<Record<string, string>> = specialties;
  const said = { specialty: (value: string) => nameOf[value] ?? value };
  const of = inputsOf(view, edit, clinic, said);
  const zones = new Set([edit.values.timezone, ...Intl.supportedValuesOf('timeZone')]);
  const inputs: Record<NameOf<ShownOfClinic>, Html> = {
    name: field({ ...of('name'), isRequired: true, maxLength: longest(tenantRules.name) }),
    specialty: choice({
      ...of('specialty'),
      options: SPECIALTIES.map((value) => ({ value, label: specialties[value] })),
    }),
    timezone: choice({
      ...of('timezone'),
      options: [...zones].map((zone) => ({ value: zone, label: zone })),
    }),
    acknowledgeWithinMinutes: field(of('acknowledgeWithinMinutes')),
    reminders: field(of('reminders')),
  };
  return Object.values(inputs);
}

export function saveClinic(
  em: EntityManager,
  tenantId: string,
  { timezone, acknowledgeWithinMinutes: within, reminders: hours, ...fields }: Partial<ShownOfClinic>,
  context: CommandContext,
): Promise<unknown> {
  const config = {
    ...(timezone !== undefined && { timezone }),
    ...(within !== undefined && { acknowledgeWithinMinutes: within }),
    ...(hours !== undefined && { reminders: hours }),
  };
  return updateTenant(em, { ...fields, config, tenantId }, context);
}

type Config = z.output<typeof tenantConfigSchema>;
type ConfigField = keyof typeof tenantConfigSchema.shape;

type Elsewhere =
  | ('timezone' | 'acknowledgeWithinMinutes' | 'reminders' | 'businessHours' | 'specialHours')
  | ('retention' | 'selfService');

/** Every known key of `config` that is in no other form, and retention. */
export type ShownOfReceptionist = {
  [Name in Exclude<ConfigField, Elsewhere>]: NonNullable<Config[Name]> | null;
} & { [Name in Days]: number | null };

const DAYS = ['transcriptDays', 'recordingDays'] as const;
type Days = (typeof DAYS)[number];

const { voice, voiceSpeed, greeting, fallbackHumanNumber, retention } = tenantConfigSchema.shape;
const decimal = z.string().transform((number) => Number(number.replace(',', '.')));

export const RECEPTIONIST_FORM: FormFields<TenantRow, ShownOfReceptionist> = {
  greeting: ofConfig('greeting', optional(greeting.unwrap())),
  voice: ofConfig('voice', optional(voice.unwrap())),
  voiceSpeed: ofConfig('voiceSpeed', optional(decimal.pipe(voiceSpeed.unwrap()))),
  fallbackHumanNumber: ofConfig('fallbackHumanNumber', optional(fallbackHumanNumber.unwrap().unwrap())),
  transcriptDays: daysField('transcriptDays'),
  recordingDays: daysField('recordingDays'),
};

function ofConfig<Value>(name: ConfigField, read: z.ZodType<Value, string>): FormField<TenantRow, Value> {
  return { read, show: ({ config }) => shown(config[name]) };
}

function daysField(name: Days): FormField<TenantRow, number | null> {
  const rule = retention.unwrap().shape[name].unwrap().unwrap();
  return {
    read: optional(wholeNumber.pipe(rule)),
    show: ({ config }) => shown((Object(config['retention']) as Record<string, unknown>)[name]),
  };
}

function shown(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

export function receptionistInputs(view: View, edit: Edit<ShownOfReceptionist>): Html[] {
  const of = inputsOf(view, edit, SETTINGS_WORDS[view.language].receptionist);
  const inputs: Record<NameOf<ShownOfReceptionist>, Html> = {
    greeting: longField({ ...of('greeting'), maxLength: longest(greeting.unwrap()) }),
    voice: field({ ...of('voice'), maxLength: longest(voice.unwrap()) }),
    voiceSpeed: field(of('voiceSpeed')),
    fallbackHumanNumber: field({ ...of('fallbackHumanNumber'), maxLength: 100 }),
    transcriptDays: field(of('transcriptDays')),
    recordingDays: field(of('recordingDays')),
  };
  return Object.values(inputs);
}

/** Saves the receptionist's settings. Retention is one setting, shown as two fields. */
export function saveReceptionist(
  em: EntityManager,
  tenantId: string,
  { changes, values }: { changes: Partial<ShownOfReceptionist>; values: Values<ShownOfReceptionist> },
  context: CommandContext,
): Promise<unknown> {
  const { transcriptDays: _transcripts, recordingDays: _recordings, ...config } = changes;
  const kept = DAYS.filter((name) => values[name] !== '').map((name) => [name, Number(values[name])]);
  const isKeptDifferently = DAYS.some((name) => name in changes);
  const patch = {
    ...config,
    ...(isKeptDifferently && { retention: kept.length > 0 ? Object.fromEntries(kept) : null }),
  };
  return updateTenant(em, { tenantId, config: patch }, context);
}
