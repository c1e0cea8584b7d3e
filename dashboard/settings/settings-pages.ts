import { z } from 'zod';
import { requireTenant } from '../../commands/clinic/require-tenant.ts';
import { updateTenant, type UpdateTenant } from '../../commands/clinic/update-tenant.ts';
import type { TenantRow } from '../../db/entities/tenant.entity.ts';
import { text } from '../../domain/bounded-text.schema.ts';
import { tenantConfigSchema } from '../../domain/clinic/tenant-config.schema.ts';
import { SPECIALTIES } from '../../domain/clinic/tenant.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { clinicPage, type PageRoute } from '../page-request.ts';
import { readBusinessHours } from './business-hours-form.ts';
import { PARTS, settingsPage, type Part } from './settings-page.ts';

const partField = z.enum(PARTS);

/** What a form wants changed, or what is wrong in it, by field. */
type Wish = { change: Omit<UpdateTenant, 'tenantId'> } | { wrong: ReadonlyMap<string, string> };

const READERS: Record<Part, (form: URLSearchParams, tenant: TenantRow) => Wish> = {
  clinic: readClinic,
  hours: readHours,
  receptionist: readReceptionist,
};

/** Settings → Settings. */
export function settingsPages(): PageRoute[] {
  return [
    clinicPage('GET', '/settings', 'settings', async ({ tenantId, query, view, read }) => {
      const tenant = await read((em) => requireTenant(em, tenantId));
      return settingsPage(view, tenant, { saved: partField.safeParse(query.get('saved')).data });
    }),
    clinicPage('POST', '/settings', 'settings', async ({ tenantId, form, view, context, read, write }) => {
      const part = partField.parse(form.get('part') ?? 'clinic');
      const tenant = await read((em) => requireTenant(em, tenantId));
      const refuse = (wrong: ReadonlyMap<string, string>) =>
        settingsPage(view, tenant, { mistake: { part, given: form, wrong } });
      const wish = READERS[part](form, tenant);
      if ('wrong' in wish) return refuse(wish.wrong);
      try {
        await write((em) => updateTenant(em, { ...wish.change, tenantId }, context));
        return { to: `/settings?saved=${part}` };
      } catch (error) {
        if (!(error instanceof ServiceError && error.code === 'public_slug_taken')) throw error;
        return refuse(new Map([['publicSlug', 'taken']]));
      }
    }),
  ];
}

const { voice, voiceSpeed, greeting, timezone, retention } = tenantConfigSchema.shape;

const orNull = (filled: string) => (filled === '' ? null : filled);

const clinicFields = z.object({
  name: z
    .string()
    .trim()
    .pipe(text({ min: 1, max: 200 })),
  specialty: z.enum(SPECIALTIES),
  publicSlug: z
    .string()
    .trim()
    .regex(/^([a-z0-9]+(-[a-z0-9]+)*)?$/)
    .pipe(text({ max: 63 })),
  timezone,
});

function readClinic(form: URLSearchParams): Wish {
  const read = clinicFields.safeParse(Object.fromEntries(form));
  if (!read.success) return { wrong: wrongFields(read.error) };
  const { timezone: zone, publicSlug, ...fields } = read.data;
  const publicBookingEnabled = form.get('publicBookingEnabled') === 'yes';
  const config = zone === undefined ? {} : { timezone: zone };
  return { change: { ...fields, publicSlug: orNull(publicSlug), publicBookingEnabled, config } };
}

function readHours(form: URLSearchParams, { config }: TenantRow): Wish {
  const businessHours = readBusinessHours(form, !config['businessHours']);
  if (businessHours === 'wrong') return { wrong: new Map([['businessHours', 'businessHours']]) };
  return { change: { config: { businessHours } } };
}

const filledIn = (form: URLSearchParams, name: string) =>
  (form.get(name) ?? '').replaceAll('\r\n', '\n').trim() || null;
const number = (filled: string | null) => (filled === null ? null : Number(filled.replace(',', '.')));

const receptionistFields = z.object({
  voice: voice.unwrap().nullable(),
  voiceSpeed: voiceSpeed.unwrap().nullable(),
  greeting: greeting.unwrap().nullable(),
  fallbackHumanNumber: text({ max: 100 }).nullable(),
  retention: retention.unwrap(),
});

function readReceptionist(form: URLSearchParams, { config }: TenantRow): Wish {
  const [transcriptDays, recordingDays] = ['transcriptDays', 'recordingDays'].map((name) =>
    number(filledIn(form, name)),
  );
  const read = receptionistFields.safeParse({
    voice: filledIn(form, 'voice'),
    voiceSpeed: number(filledIn(form, 'voiceSpeed')),
    greeting: filledIn(form, 'greeting'),
    fallbackHumanNumber: filledIn(form, 'fallbackHumanNumber'),
    retention: {
      ...(transcriptDays !== null && { transcriptDays }),
      ...(recordingDays !== null && { recordingDays }),
    },
  });
  if (!read.success) return { wrong: wrongFields(read.error) };
  const { fallbackHumanNumber, retention: kept, ...fields } = read.data;
  // For this key null is a value, which nobody has chosen who left an empty field empty.
  const isChosen = fallbackHumanNumber !== null || 'fallbackHumanNumber' in config;
  const patch = {
    ...fields,
    ...(isChosen && { fallbackHumanNumber }),
    retention: Object.keys(kept).length > 0 ? kept : null,
  };
  return { change: { config: patch } };
}

/** Of what lies deeper the last name is that of the field. */
function wrongFields({ issues }: z.ZodError): Map<string, string> {
  return new Map(issues.map(({ path }) => [String(path.at(-1)), String(path[0])]));
}
