import { z } from 'zod';
import { updateTenant, type UpdateTenant } from '../../commands/clinic/update-tenant.ts';
import type { CommandContext } from '../../commands/command-context.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import type { TenantRow } from '../../db/entities/tenant.entity.ts';
import { longest } from '../../domain/bounded-text.schema.ts';
import { timezoneOf } from '../../domain/clinic/hours/business-hours.ts';
import { timezoneSchema } from '../../domain/clinic/tenant-config.schema.ts';
import { SPECIALTIES } from '../../domain/clinic/tenant.ts';
import { tenantRules } from '../../domain/clinic/tenant-rules.schema.ts';
import type { Html } from '../../pages/html.ts';
import { inputsOf } from '../edits/edit-parts.ts';
import type { FormFields, NameOf } from '../edits/form-fields.ts';
import type { Edit } from '../edits/save-edit.ts';
import { required } from '../filled-in.schema.ts';
import { choice, field } from '../layout/form.ts';
import type { View } from '../layout/view.ts';
import type { ShownOfBooking } from './booking-form.ts';
import { SETTINGS_WORDS } from './words.ts';

/** What a clinic may change of itself, but for its `config` and its booking page; and its time zone. */
export type ShownOfClinic = Required<Omit<UpdateTenant, 'tenantId' | 'config' | keyof ShownOfBooking>> & {
  timezone: string;
};

export const CLINIC_FORM: FormFields<TenantRow, ShownOfClinic> = {
  name: { read: required(tenantRules.name), show: ({ name }) => name },
  specialty: { read: z.enum(SPECIALTIES), show: ({ specialty }) => specialty },
  timezone: { read: timezoneSchema, show: ({ config }) => timezoneOf(config) },
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
  };
  return Object.values(inputs);
}

export function saveClinic(
  em: EntityManager,
  tenantId: string,
  { timezone, ...fields }: Partial<ShownOfClinic>,
  context: CommandContext,
): Promise<unknown> {
  const config = timezone === undefined ? {} : { config: { timezone } };
  return updateTenant(em, { ...fields, ...config, tenantId }, context);
}
