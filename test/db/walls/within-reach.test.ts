import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import type { ClinicDatabase } from '../../../db/connection/open-database.ts';
import { ProfessionalEntity } from '../../../db/entities/professional.entity.ts';
import { TenantEntity } from '../../../db/entities/tenant.entity.ts';
import { aClinic, type TestClinic } from '../../support/clinic.ts';
import { openTestDatabase, type OpenTestDatabase } from '../../support/database.ts';

let database: OpenTestDatabase;
let one: TestClinic;
let other: TestClinic;

beforeAll(async () => {
  database = await openTestDatabase({ poolSize: 1 });
  [one, other] = [await aClinic(database), await aClinic(database)];
});
afterAll(() => database[Symbol.asyncDispose]());

function clinicsSeenBy({ read }: ClinicDatabase): Promise<string[]> {
  return read(async (em) =>
    (await em.find(TenantEntity, {}, { orderBy: { id: 'asc' } })).map(({ id }) => id),
  );
}

test('a connection sees the clinics that it was taken for, whatever it was taken for before', async () => {
  expect(await clinicsSeenBy(database.ofClinic(one.tenantId))).toEqual([one.tenantId]);
  expect(await clinicsSeenBy(database.ofClinic(other.tenantId))).toEqual([other.tenantId]);
  expect(await clinicsSeenBy(database.ofClinics([one, other].map(({ tenantId }) => tenantId)))).toEqual([
    one.tenantId,
    other.tenantId,
  ]);
  expect(await clinicsSeenBy(database.ofClinics([]))).toEqual([]);
});

test('what runs beside each other sees its own clinic', async () => {
  const asked = Array.from({ length: 50 }, (_, nr) => (nr % 2 === 0 ? one : other).tenantId);
  const seen = await Promise.all(asked.map((tenantId) => clinicsSeenBy(database.ofClinic(tenantId))));
  expect(seen).toEqual(asked.map((tenantId) => [tenantId]));
});

test('a transaction and its savepoints see one clinic to their end, and nothing stays of it', async () => {
  const seen = await database.ofClinic(one.tenantId).write(async (em) => {
    const first = await em.find(TenantEntity, {});
    const nested = await em.transactional((inner) =>
      inner.fork({ keepTransactionContext: true }).find(TenantEntity, {}),
    );
    await em.transactional((inner) => inner.execute('SELECT 1 / 0')).catch(() => undefined);
    return [first, nested, await em.fork({ keepTransactionContext: true }).find(TenantEntity, {})];
  });
  expect(seen.map((clinics) => clinics.map(({ id }) => id))).toEqual([
    [one.tenantId],
    [one.tenantId],
    [one.tenantId],
  ]);
  const [row] = await database
    .ofClinics([])
    .read((em) => em.execute<{ reach: string }[]>(`SELECT current_setting('app.tenant_ids') AS reach`));
  expect(row?.reach).toBe('{}');
});

test('a statement that fails leaves its connection as good as new', async () => {
  const { read } = database.ofClinic(one.tenantId);
  await expect(read((em) => em.execute('SELECT 1 / ?', [0]))).rejects.toMatchObject({ code: '22012' });
  await expect(read((em) => em.execute('SELECT nonsense'))).rejects.toMatchObject({ code: '42703' });
  expect(await clinicsSeenBy(database.ofClinic(other.tenantId))).toEqual([other.tenantId]);
});

test('no row of another clinic is written', async () => {
  const stranger = {
    id: uuidv7(),
    tenantId: other.tenantId,
    name: 'Ana',
    specialty: 'Dentistry',
    metadata: {},
  };
  await expect(
    database.ofClinic(one.tenantId).write((em) => em.insert(ProfessionalEntity, stranger)),
  ).rejects.toMatchObject({ code: '42501' });
});

test('an entity manager that outlives its request gets no connection', async () => {
  const kept = await database.ofClinic(one.tenantId).read(async (em) => em);
  await expect(kept.find(TenantEntity, {})).rejects.toThrow('no clinic is named whose rows this may see');
});

test('whoever names no clinic by its id is refused', async () => {
  await expect(async () => clinicsSeenBy(database.ofClinic(`${one.tenantId}}'; DROP`))).rejects.toThrow(
    TypeError,
  );
});
