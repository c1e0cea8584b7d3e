import { z } from 'zod';
import { specialty, tenantPlan, tenantStatus } from '../../domain/named-enums.schema.ts';
import { tenantConfigPatchSchema, tenantConfigSchema } from '../../domain/clinic/tenant-config.schema.ts';
import { tenantRules } from '../../domain/clinic/tenant-rules.schema.ts';
import { component, oneAnswer } from '../contract/answers.ts';
import { defineContracts } from '../contract/define-contracts.ts';
import { asStored, id, instantText } from '../contract/fields.ts';

const nullableText = (meaning: string) =>
  z.string().nullable().describe(`${meaning}, or null. Set by the operator.`);

/** docs/clinic-settings.md#fields */
export const tenantSchema = component('Tenant', 'One clinic.', {
  id: id().describe('Made by the service.'),
  identityOrgId: z.string().describe('The clinic in the identity provider. Set by the operator.'),
  name: z.string().describe('What patients call it.'),
  legalName: nullableText('What the law calls it'),
  nif: nullableText('The number by which the tax office knows it'),
  address: nullableText('Street and number'),
  postalCode: nullableText('Of the address'),
  city: nullableText('Of the address'),
  country: z.string().describe('Two capital letters (ISO 3166-1), such as `PT`. Set by the operator.'),
  email: nullableText('Where notices about failing webhooks go'),
  phone: nullableText('The number of the clinic'),
  specialty,
  publicSlug: z.string().nullable().describe('The name of its public booking page, or null.'),
  publicBookingEnabled: z.boolean().describe('Whether patients book by themselves.'),
  plan: tenantPlan,
  status: tenantStatus,
  trialEndsAt: instantText().nullable().describe('When its trial ends, or null. Set by the operator.'),
  config: tenantConfigSchema.meta({
    id: 'TenantConfig',
    description: 'The settings that the service knows; a clinic may keep others beside them.',
  }),
  referralCode: nullableText('The code by which it came to us'),
  createdAt: instantText().describe('When it was created.'),
  updatedAt: instantText().describe('When it changed last.'),
});

const updateTenantBody = z
  .strictObject({
    name: tenantRules.name.describe('What patients call it, 1 to 200 characters, not blank.'),
    specialty: tenantRules.specialty,
    publicSlug: tenantRules.publicSlug
      .nullable()
      .describe(
        'The name of its public booking page: 1 to 63 lower-case letters and digits, with single hyphens between; null for none.',
      ),
    publicBookingEnabled: tenantRules.publicBookingEnabled.describe('Whether patients book by themselves.'),
    config: tenantConfigPatchSchema.overwrite(asStored).meta({
      description:
        'Given keys are replaced whole; null removes a key, except `fallbackHumanNumber`, which may be null.',
    }),
  })
  .partial();

const example = {
  id: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a10',
  identityOrgId: 'org_clinica_sorriso',
  name: 'Clínica Sorriso',
  legalName: null,
  nif: null,
  address: null,
  postalCode: null,
  city: 'Lisboa',
  country: 'PT',
  email: 'geral@sorriso.example',
  phone: null,
  specialty: 'dental',
  publicSlug: 'sorriso',
  publicBookingEnabled: true,
  plan: 'pro',
  status: 'active',
  trialEndsAt: null,
  config: { timezone: 'Europe/Lisbon', voice: 'sofia', voiceSpeed: 1 },
  referralCode: null,
  createdAt: '2026-01-12T10:00:00.000Z',
  updatedAt: '2026-02-20T16:45:12.345Z',
};

export const tenantContracts = defineContracts('Clinic', null, {
  getTenant: {
    operation: 'GET /v1/tenants/me',
    summary: 'The clinic of the API key',
    access: ['tenant:read'],

    responses: oneAnswer(200, 'The clinic.', tenantSchema, example),
  },
  updateTenant: {
    operation: 'PATCH /v1/tenants/me',
    summary: 'Change the clinic’s settings',
    description: 'Fields not present stay unchanged. Emits `tenant.config_updated` when `config` changed.',
    access: ['tenant:write'],
    body: {
      schema: updateTenantBody,
      examples: {
        settings: {
          name: 'Clínica Sorriso',
          specialty: 'dental',
          publicSlug: 'sorriso',
          publicBookingEnabled: true,
          config: {
            voice: 'sofia',
            voiceSpeed: 1.1,
            greeting: 'Clínica Sorriso, bom dia!',
            timezone: 'Europe/Lisbon',
            fallbackHumanNumber: '+351210000000',
            businessHours: {
              mon: [
                ['09:00', '13:00'],
                ['14:00', '18:00'],
              ],
              sat: [['09:00', '12:30']],
            },
          },
        },
      },
    },
    responses: oneAnswer(200, 'The clinic as it is now.', tenantSchema, example),
    errors: ['public_slug_taken'],
  },
});
