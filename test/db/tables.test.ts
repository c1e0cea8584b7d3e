import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { anyOf, hasValues, tables, type Tables } from '../../db/connection/tables.ts';
import { ENTITIES } from '../../db/all-entities.ts';
import { TenantEntity } from '../../db/entities/tenant.entity.ts';
import { aClinic, type TestClinic } from '../support/clinic.ts';
import { openTestDatabase, type OpenTestDatabase } from '../support/database.ts';

let database: OpenTestDatabase;
let clinic: TestClinic;

beforeAll(async () => {
  database = await openTestDatabase();
  clinic = await aClinic(database);
});

afterAll(() => database[Symbol.asyncDispose]());

test.each(
  ENTITIES.map(({ meta }) => [meta.tableName as keyof Tables, Object.keys(meta.properties)] as const),
)('the columns of %s are read by the names of their properties', async (table, properties) => {
  const statement = tables(database.em())
    .selectFrom(table)
    .select(properties as never[]);
  await expect(statement.execute()).resolves.toBeInstanceOf(Array);
});

test('an instant is a date, under whatever name and by whatever function it comes', async () => {
  const tenant = await database.em().findOneOrFail(TenantEntity, { id: clinic.tenantId });
  const read = tables(database.em())
    .selectFrom('tenant')
    .select(['createdAt', 'createdAt as since'])
    .select((row) => row.fn.max('createdAt').over().as('latest'))
    .where('id', '=', clinic.tenantId);
  const { createdAt } = tenant;
  expect(await read.execute()).toEqual([{ createdAt, since: createdAt, latest: createdAt }]);
});

test('a text of SQL is answered in the same names, and what stands in JSON keeps its own', async () => {
  const { rows } = await sql`
    SELECT created_at, jsonb_build_object('time_zone', id) AS config FROM tenant WHERE id = ${clinic.tenantId}
  `.execute(tables(database.em()));
  expect(rows).toEqual([{ createdAt: expect.any(Date), config: { time_zone: clinic.tenantId } }]);
});

test('a column that may have any value is not asked about', async () => {
  const tenants = tables(database.em()).selectFrom('tenant').select('id');
  const found = tenants.where((row) => hasValues(row, { id: clinic.tenantId, status: undefined }));
  expect(await found.execute()).toEqual([{ id: clinic.tenantId }]);
});

test('none of no values is found', async () => {
  const tenants = tables(database.em()).selectFrom('tenant').select('id');
  expect(await tenants.where('id', '=', anyOf<string>([])).execute()).toEqual([]);
});
