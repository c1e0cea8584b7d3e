import type { PhoneHash } from '../../adapters/phones/phone-hash.ts';
import { createApiKey } from '../../commands/clinic/create-api-key.ts';
import { createProfessional } from '../../commands/clinic/professionals/save-professional.ts';
import { createService } from '../../commands/clinic/services/save-service.ts';
import { createTenant } from '../../commands/clinic/create-tenant.ts';
import { updateTenant } from '../../commands/clinic/update-tenant.ts';
import type { CommandContext } from '../../commands/command-context.ts';
import { listProfessionals } from '../../db/clinic/professionals.ts';
import { listServices } from '../../db/clinic/services.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { TenantEntity, type TenantRow } from '../../db/entities/tenant.entity.ts';
import { SCOPE_PRESETS } from '../../domain/clinic/api-scopes.ts';
import type { ServiceMode } from '../../domain/service-mode.ts';
import { EXAMPLE_IDS } from './example-ids.ts';
import type { FirstClinic } from './first-clinic.ts';
import { makeExamples, type Making } from './make-examples.ts';

const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri'] as const;

/** The clinic's organisation at the local identity provider, also used in examples. */
export const FIRST_ORGANISATION = 'org_clinica_sorriso';

/** The existing clinic or a new one, with new keys, because the old keys may be revoked. */
export async function makeFirstClinic(
  em: EntityManager,
  given: { mode: ServiceMode; tenantId?: string | undefined; now: Date },
  phoneHash: PhoneHash,
): Promise<FirstClinic> {
  const { mode, tenantId = EXAMPLE_IDS.tenant, now } = given;
  const context: CommandContext = { actor: 'operator', operator: 'npm start', requestId: null, now };
  // The database may have been emptied or replaced.
  const find = (id: string) => em.findOne(TenantEntity, { id });
  const known = (await find(tenantId)) ?? (await find(EXAMPLE_IDS.tenant));
  const { id } = known ?? (await createClinic({ em, phoneHash, context }, mode));
  const newKey = async (preset: keyof typeof SCOPE_PRESETS, name: string) => {
    const input = { tenantId: id, name, scopes: SCOPE_PRESETS[preset], expiresAt: null, mode };
    return (await createApiKey(em, input, context)).key;
  };
  return {
    tenantId: id,
    professionals: (await listProfessionals(em, id)).map((row) => ({ id: row.id, name: row.name })),
    services: (await listServices(em, id)).map(({ service }) => ({ id: service.id, name: service.name })),
    pmsKey: await newKey('pms', 'First steps of a PMS'),
    key: await newKey('everything', 'First steps'),
  };
}

async function createClinic(making: Making, mode: ServiceMode): Promise<TenantRow> {
  const { em, context } = making;
  const tenant = await createTenant(
    em,
    {
      id: EXAMPLE_IDS.tenant,
      identityOrgId: FIRST_ORGANISATION,
      name: 'Clínica Sorriso',
      specialty: 'dental',
      timezone: 'Europe/Lisbon',
      country: 'PT',
      email: 'geral@sorriso.example',
      phone: null,
    },
    context,
  );
  const { id: tenantId } = tenant;
  const hours = [
    ['09:00', '13:00'],
    ['14:00', '19:00'],
  ];
  const businessHours = Object.fromEntries(WEEKDAYS.map((day) => [day, hours]));
  const booking = { publicSlug: 'sorriso', publicBookingEnabled: true };
  await updateTenant(em, { tenantId, ...booking, config: { businessHours } }, context);
  await createProfessionals(making, tenantId);
  await createServices(making, tenantId);
  if (mode === 'test') await makeExamples(making, tenant);
  return tenant;
}

async function createProfessionals({ em, context }: Making, tenantId: string): Promise<void> {
  for (const { id, ...fields } of [
    {
      id: EXAMPLE_IDS.professional,
      externalId: 'dr-12',
      name: 'Inês Carvalho',
      title: 'Dra.',
      specialty: 'Orthodontics',
    },
    { name: 'Rui Matos', title: 'Dr.', specialty: 'Dentistry' },
  ]) {
    await createProfessional(em, { tenantId, ...(id && { id }), fields }, context);
  }
}

async function createServices({ em, context }: Making, tenantId: string): Promise<void> {
  for (const { id, ...fields } of [
    {
      id: EXAMPLE_IDS.service,
      externalId: 'check-up',
      name: 'Check-up',
      durationMinutes: 30,
      bufferMinutes: 5,
      priceEur: '50.00',
    },
    { name: 'Cleaning', durationMinutes: 45, bufferMinutes: 10, priceEur: '65.00' },
  ]) {
    await createService(em, { tenantId, ...(id && { id }), fields, professionalIds: [] }, context);
  }
}
