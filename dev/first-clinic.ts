import { z } from 'zod';
import { readPrivateJson, writePrivateJson } from './data-directory/private-file.ts';

const named = z.object({ id: z.string(), name: z.string() });
const clinicRecord = z.object({
  tenantId: z.string(),
  professionals: z.array(named).min(1),
  services: z.array(named).min(1),
  key: z.string(),
});
/** The clinic to try things with, remembered in `$DATA_DIR/demo.json`. */
export type FirstClinic = z.infer<typeof clinicRecord>;

/** Runs the operator's command line and returns the JSON document that it prints. */
export type Admin = (...args: string[]) => Promise<unknown>;

/** Null before the first start. */
export function readFirstClinic(path: string): FirstClinic | null {
  return readPrivateJson(path, clinicRecord);
}

/** Creates the clinic on the first run; later only its key, should it no longer be accepted. */
export async function keepFirstClinic(path: string, apiUrl: string, admin: Admin): Promise<FirstClinic> {
  const kept = readFirstClinic(path);
  if (kept !== null && (await isKeyAccepted(apiUrl, kept.key))) return kept;
  const clinic =
    kept !== null && (await isKnown(kept, admin)) ? await renewKey(kept, admin) : await createClinic(admin);
  writePrivateJson(path, clinic);
  return clinic;
}

async function isKeyAccepted(apiUrl: string, key: string): Promise<boolean> {
  const answer = await fetch(`${apiUrl}/v1/tenants/me`, { headers: { authorization: `Bearer ${key}` } });
  await answer.body?.cancel();
  return answer.status !== 401;
}

/** Not after someone has emptied the database or pointed DATABASE_URL at another one. */
async function isKnown({ tenantId }: FirstClinic, admin: Admin): Promise<boolean> {
  const { items } = z
    .object({ items: z.array(z.object({ id: z.string() })) })
    .parse(await admin('tenant', 'list'));
  return items.some(({ id }) => id === tenantId);
}

async function renewKey(clinic: FirstClinic, admin: Admin): Promise<FirstClinic> {
  return { ...clinic, key: await createKey(clinic.tenantId, admin) };
}

async function createClinic(admin: Admin): Promise<FirstClinic> {
  const tenant = await create(admin, 'tenant', {
    name: 'Clínica Aurora',
    specialty: 'dental',
    timezone: 'Europe/Lisbon',
    email: 'reception@clinica-aurora.example',
  });
  const [professionals, services, key] = await Promise.all([
    createAll(admin, 'professional', tenant.id, [
      { name: 'Inês Duarte', title: 'Dr.', specialty: 'Dentistry' },
      { name: 'Rui Matos', title: 'Dr.', specialty: 'Orthodontics' },
    ]),
    createAll(admin, 'service', tenant.id, [
      { name: 'Check-up', duration: '30', buffer: '5', price: '50.00' },
      { name: 'Cleaning', duration: '45', buffer: '10', price: '65.00' },
    ]),
    createKey(tenant.id, admin),
  ]);
  return { tenantId: tenant.id, professionals, services, key };
}

function createAll(admin: Admin, kind: string, tenant: string, all: Record<string, string>[]) {
  return Promise.all(all.map((options) => create(admin, kind, { tenant, ...options })));
}

async function create(
  admin: Admin,
  kind: string,
  options: Record<string, string>,
): Promise<z.infer<typeof named>> {
  const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  return named.parse(await admin(kind, 'create', ...flags));
}

async function createKey(tenantId: string, admin: Admin): Promise<string> {
  const created = await admin('key', 'create', '--tenant', tenantId, '--name', 'First steps');
  return z.object({ key: z.string() }).parse(created).key;
}
