import { createTenant } from '../../commands/clinic/create-tenant.ts';
import { presentTenant } from '../../api/tenant/present.ts';
import { updateTenantByOperator } from '../../commands/clinic/update-tenant.ts';
import { findClinicKey } from '../../db/clinic/clinic-keys.ts';
import type { Database, EntityManager } from '../../db/connection/open-database.ts';
import { violates } from '../../db/connection/database-errors.ts';
import { TenantEntity, type TenantRow } from '../../db/entities/tenant.entity.ts';
import { requireTenant } from '../../commands/clinic/lock-tenant.ts';
import { DEFAULT_TIMEZONE } from '../../domain/clinic/hours/business-hours.ts';
import { SPECIALTIES, TENANT_PLANS, TENANT_STATUSES } from '../../domain/clinic/tenant.ts';
import { timezoneSchema } from '../../domain/clinic/tenant-config.schema.ts';
import { REQUESTS_PER_MINUTE } from '../../domain/rate-limits.ts';
import { tenantRules } from '../../domain/clinic/tenant-rules.schema.ts';
import { adminCommand } from '../admin-command.ts';
import { AdminFailure } from '../failures.ts';
import { clinicDataCommands } from './clinic-data-commands.ts';
import {
  clearable,
  country,
  email,
  idOf,
  instant,
  oneOf,
  option,
  phone,
  text,
  wholeNumber,
  written,
  yesOrNo,
} from '../options.ts';

const stored = wholeNumber(0, 999_999_999);

const create = adminCommand({
  words: 'tenant create',
  summary: 'Create a clinic',
  options: {
    name: option(written(tenantRules.name), 'name', 'name of the clinic, shown to patients'),
    specialty: option(oneOf(SPECIALTIES), 'specialty', SPECIALTIES.join(', ')),
    timezone: option(
      timezoneSchema.default(DEFAULT_TIMEZONE),
      'zone',
      `IANA time zone, by default ${DEFAULT_TIMEZONE}`,
    ),
    email: option(email.optional(), 'address', 'email address for webhook alerts'),
    phone: option(phone.optional(), 'number', 'in E.164 form'),
    country: option(country.default('PT'), 'code', 'two capital letters, by default PT'),
    identityOrgId: option(
      text(200).optional(),
      'id',
      'organization ID of the clinic at the identity provider',
    ),
  },
  async run({ email: address = null, phone: number = null, ...fields }, { database, context }) {
    const input = { ...fields, email: address, phone: number };
    return shownTenant(await withOwnOrganisation(database, fields, (em) => createTenant(em, input, context)));
  },
});

const list = adminCommand({
  words: 'tenant list',
  summary: 'List all clinics, oldest first',
  columns: ['id', 'name', 'city', 'status', 'plan', 'createdAt'],
  options: {},
  async run(_options, { database }) {
    const rows = await database.em().find(TenantEntity, {}, { orderBy: { id: 'asc' } });
    return { items: rows.map(shownTenant) };
  },
});

const show = adminCommand({
  words: 'tenant show',
  summary: 'Show a clinic',
  options: { tenant: idOf('clinic') },
  run: async ({ tenant }, { database }) => shownTenant(await requireTenant(database.em(), tenant)),
});

const update = adminCommand({
  words: 'tenant update',
  summary: "Change a clinic. Use '' to clear an optional field",
  options: {
    tenant: idOf('clinic'),
    name: option(written(tenantRules.name).optional(), 'name', 'name of the clinic, shown to patients'),
    specialty: option(oneOf(SPECIALTIES).optional(), 'specialty', SPECIALTIES.join(', ')),
    status: option(oneOf(TENANT_STATUSES).optional(), 'status', TENANT_STATUSES.join(', ')),
    plan: option(oneOf(TENANT_PLANS).optional(), 'plan', TENANT_PLANS.join(', ')),
    trialEndsAt: option(
      clearable(instant).optional(),
      'time',
      'with offset, for example 2026-03-01T00:00:00Z',
    ),
    timezone: option(timezoneSchema.optional(), 'zone', 'IANA time zone'),
    email: option(clearable(email).optional(), 'address', 'email address for webhook alerts'),
    phone: option(clearable(phone).optional(), 'number', 'in E.164 form'),
    country: option(country.optional(), 'code', 'two capital letters'),
    identityOrgId: option(
      text(200).optional(),
      'id',
      'organization ID of the clinic at the identity provider',
    ),
    legalName: option(clearable(text(200)).optional(), 'name', 'legal name'),
    nif: option(clearable(text(50)).optional(), 'number', 'tax number'),
    address: option(clearable(text(500)).optional(), 'address', 'street and number'),
    postalCode: option(clearable(text(50)).optional(), 'code', 'postal code'),
    city: option(clearable(text(200)).optional(), 'city', 'city'),
    publicSlug: option(
      clearable(tenantRules.publicSlug).optional(),
      'slug',
      'last part of the address of the clinic’s booking page',
    ),
    publicBookingEnabled: option(yesOrNo.optional(), 'true|false', 'whether patients can book online'),
    referralCode: option(clearable(text(100)).optional(), 'code', 'referral code'),
    requestsPerMinute: option(
      wholeNumber(REQUESTS_PER_MINUTE.fewest, REQUESTS_PER_MINUTE.most).optional(),
      'number',
      'API requests per minute for all keys of the clinic, by default 3000',
    ),
    maxAppointments: option(
      stored.optional(),
      'number',
      'maximum number of stored appointments, by default 2000000',
    ),
    maxCalls: option(stored.optional(), 'number', 'maximum number of stored calls, by default 1000000'),
    maxRecordingGib: option(stored.optional(), 'GiB', 'stored recordings, by default 200'),
  },
  async run({ tenant, timezone: zone, ...changes }, { database, context }) {
    const config = zone === undefined ? undefined : { timezone: zone };
    const input = { tenantId: tenant, config, ...changes };
    if (changes.status !== undefined && changes.status !== 'canceled') await refuseErased(database, tenant);
    return shownTenant(
      await withOwnOrganisation(database, changes, (em) => updateTenantByOperator(em, input, context)),
    );
  },
});

export const tenantCommands = [create, list, show, update, ...clinicDataCommands];

/** A clinic as in the API, plus fields for operators. */
function shownTenant(row: TenantRow) {
  const { requestsPerMinute, maxAppointments, maxCalls, maxRecordingGib } = row;
  const limits = { requestsPerMinute, maxAppointments, maxCalls, maxRecordingGib };
  return { ...presentTenant(row), limits };
}

/** Refuses an erased clinic. It has no key, so nothing it wrote could be read, or sent by a worker. */
async function refuseErased(database: Database, tenant: string): Promise<void> {
  if ((await findClinicKey(database.em(), tenant)) !== null) return;
  throw new AdminFailure(
    `The clinic ${tenant} was erased, so it stays canceled. Nothing was changed. If the customer comes back, create a new clinic: tenant create`,
  );
}

/**
 * Refuses an organisation that another clinic has: people belong to the clinic of their organisation, so two clinics
 * cannot share one.
 */
async function withOwnOrganisation(
  database: Database,
  { identityOrgId }: { identityOrgId?: string | undefined },
  write: (em: EntityManager) => Promise<TenantRow>,
): Promise<TenantRow> {
  try {
    return await database.write(write);
  } catch (error) {
    if (identityOrgId === undefined || !violates(error, 'tenant_identity_org_id')) throw error;
    const owner = await database.em().findOne(TenantEntity, { identityOrgId });
    throw new AdminFailure(
      `--identity-org-id: another clinic${owner ? `, ${owner.id},` : ''} uses this organization of the identity provider, ` +
        'and each clinic needs its own organization. Nothing was changed. ' +
        'Use another organization, or first give that clinic another one: tenant update --tenant ID --identity-org-id OTHER',
    );
  }
}
