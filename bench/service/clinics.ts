import { uuidv7 } from 'uuidv7';
import { cloneRows } from './clone-rows.ts';
import type { Service } from './start-service.ts';

export interface Clinic {
  tenantId: string;
  key: string;
  professionals: string[];
  service: string;
  /** Never the same twice. */
  nextSlot: NextSlot;
}
type NextSlot = () => { professionalId: string | undefined; startsAt: string };

const DAY_MS = 86_400_000;
const SLOT_MS = 60_000;

/** From three days ahead. */
function slotsOf(professionals: string[]): NextSlot {
  const firstMs = Math.ceil((Date.now() + 3 * DAY_MS) / SLOT_MS) * SLOT_MS;
  let count = 0;
  return () => {
    const startsAt = new Date(firstMs + Math.floor(count / professionals.length) * SLOT_MS).toISOString();
    const professionalId = professionals[count % professionals.length];
    count += 1;
    return { professionalId, startsAt };
  };
}

const KEYS_AT_ONCE = 2;

/**
 * Clinics with one-minute appointments. The first professional, service and tenant are the operator's; the others are
 * copies in the tables, because an operator's command takes a second and a hundred clinics would take minutes.
 */
export async function createClinics(
  service: Service,
  count: number,
  professionalsEach: number,
): Promise<Clinic[]> {
  const tenant = await created(service, 'tenant', '--name', 'Bench', '--specialty', 'dental');
  const ofTenant = ['--tenant', tenant, '--name', 'One'];
  const professional = await created(service, 'professional', ...ofTenant, '--specialty', 'Dentistry');
  const visit = await created(service, 'service', ...ofTenant, '--duration', '1');
  const clinics = Array.from({ length: count }, () => {
    const professionals = Array.from({ length: professionalsEach }, () => uuidv7());
    return {
      tenantId: uuidv7(),
      key: '',
      professionals,
      service: uuidv7(),
      nextSlot: slotsOf(professionals),
    };
  });
  await copy(service, 'tenant', tenant, {
    id: clinics.map(({ tenantId }) => tenantId),
    identity_org_id: clinics.map(({ tenantId }) => `org_${tenantId}`),
  });
  await copy(service, 'professional', professional, {
    id: clinics.flatMap(({ professionals }) => professionals),
    tenant_id: clinics.flatMap(({ tenantId, professionals }) => professionals.map(() => tenantId)),
  });
  await copy(service, 'service_type', visit, {
    id: clinics.map((clinic) => clinic.service),
    tenant_id: clinics.map(({ tenantId }) => tenantId),
  });
  for (let i = 0; i < count; i += KEYS_AT_ONCE) {
    await Promise.all(clinics.slice(i, i + KEYS_AT_ONCE).map((clinic) => giveKey(service, clinic)));
  }
  return clinics;
}

async function created(service: Service, kind: string, ...options: string[]): Promise<string> {
  const { id } = await service.admin<{ id: string }>(kind, 'create', ...options);
  return id;
}

async function giveKey(service: Service, clinic: Clinic): Promise<void> {
  const { key } = await service.admin<{ key: string }>('key', 'create', '--tenant', clinic.tenantId);
  clinic.key = key;
}

async function copy(service: Service, table: string, templateId: string, columns: Record<string, string[]>) {
  const entries = Object.entries(columns);
  const pairs = entries.map(([name], index) => `'${name}', ($${index + 3}::text[])[i]`);
  await cloneRows(service.sql, {
    table,
    template: ['id', templateId],
    count: entries[0]?.[1].length ?? 0,
    changes: `jsonb_build_object(${pairs.join(', ')})`,
    parameters: entries.map(([, values]) => values),
  });
}
