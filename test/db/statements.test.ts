import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  anyOf,
  changedRows,
  ENTITIES,
  firstRow,
  hasValues,
  onlyRow,
  onlyValue,
  rowsOf,
  tables,
  valuesOf,
  type Tables,
} from '../../db/connection/statements.ts';
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
  const rows = await rowsOf(tables(database.em()))`
    SELECT created_at, jsonb_build_object('time_zone', id) AS config FROM tenant WHERE id = ${clinic.tenantId}
  `;
  expect(rows).toEqual([{ createdAt: expect.any(Date), config: { time_zone: clinic.tenantId } }]);
});

test('a statement returns what the name before it says', async () => {
  const em = database.em();
  expect(await rowsOf(em)`SELECT generate_series(1, 2) AS number`).toEqual([{ number: 1 }, { number: 2 }]);
  expect(await firstRow(em)`SELECT generate_series(1, 2) AS number`).toEqual({ number: 1 });
  expect(await firstRow(em)`SELECT WHERE false`).toBeNull();
  expect(await onlyRow(em)`SELECT count(*)::integer AS count FROM tenant WHERE false`).toEqual({ count: 0 });
  expect(await valuesOf(em)`SELECT generate_series(1, 2)`).toEqual([1, 2]);
  expect(await onlyValue(tables(em))`SELECT now()`).toEqual(expect.any(Date));
  expect(await changedRows(em)`UPDATE tenant SET name = name WHERE id = ${clinic.tenantId}`).toBe(1);
});

test('a statement that is to return something and does not is an error', async () => {
  const em = database.em();
  await expect(onlyRow(em)`SELECT WHERE false`).rejects.toThrow('returned none');
  await expect(onlyValue(em)`SELECT 1 WHERE false`).rejects.toThrow('returned none');
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
