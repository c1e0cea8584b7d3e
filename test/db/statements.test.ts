import { inspect } from 'node:util';
import { expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { z } from 'zod';
import { columnsExcept, columnsOf } from '../../db/connection/columns.ts';
import {
  anyOf,
  changedRows,
  ENTITIES,
  firstRow,
  hasValues,
  onlyRow,
  onlyValue,
  prepared,
  rowsOf,
  tables,
  valuesOf,
  type Tables,
} from '../../db/connection/statements.ts';
import { TenantEntity } from '../../db/entities/tenant.entity.ts';
import { aClinic, book } from '../support/clinic.ts';
import { suiteDatabase } from '../support/database.ts';
import { readFile } from 'node:fs/promises';
import { raw } from '@mikro-orm/postgresql';
import { uuidv7 } from 'uuidv7';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { ProfessionalEntity } from '../../db/entities/professional.entity.ts';
import { testEnvironment } from '../support/environment/test-environment.ts';
import { releaseHold } from '../../commands/appointments/holds/hold-slot.ts';
import { doesWrite } from '../../db/connection/one-write.ts';
import { AppointmentEntity } from '../../db/entities/appointment.entity.ts';

const database = await suiteDatabase();
const clinic = await aClinic(database);

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

const TENANT = columnsOf('tenant', 'createdAt', 'config');

test('a text of SQL is answered in the same names, and what stands in JSON keeps its own', async () => {
  const rows = await rowsOf(database.em(), TENANT)`
    SELECT created_at, jsonb_build_object('time_zone', id) AS config FROM tenant WHERE id = ${clinic.tenantId}
  `;
  expect(rows).toEqual([{ createdAt: expect.any(Date), config: { time_zone: clinic.tenantId } }]);
});

const NUMBERED = z.object({ number: z.number() });

test('a statement returns what the name before it says', async () => {
  const em = database.em();
  expect(await rowsOf(em, NUMBERED)`SELECT generate_series(1, 2) AS number`).toEqual([
    { number: 1 },
    { number: 2 },
  ]);
  expect(await firstRow(em, NUMBERED)`SELECT generate_series(1, 2) AS number`).toEqual({ number: 1 });
  expect(await firstRow(em, NUMBERED)`SELECT WHERE false`).toBeNull();
  expect(await onlyRow(em, NUMBERED)`SELECT count(*)::integer AS number FROM tenant WHERE false`).toEqual({
    number: 0,
  });
  expect(await valuesOf(em, z.number())`SELECT generate_series(1, 2)`).toEqual([1, 2]);
  expect(await onlyValue(em, z.date())`SELECT now()`).toEqual(expect.any(Date));
  expect(await onlyValue(prepared(em), z.string())`SELECT ${'name'}::text`).toBe('name');
  expect(await changedRows(em)`UPDATE tenant SET name = name WHERE id = ${clinic.tenantId}`).toBe(1);
});

test('a statement that is to return something and does not is an error', async () => {
  const em = database.em();
  await expect(onlyRow(em, NUMBERED)`SELECT WHERE false`).rejects.toThrow('returned none');
  await expect(onlyValue(em, z.number())`SELECT 1 WHERE false`).rejects.toThrow('returned none');
});

test.each([
  [
    'of the wrong type',
    sql`'Ana Prata' AS config, now() AS created_at`,
    columnsOf('tenant', 'config', 'name'),
  ],
  ['of the wrong type', sql`'Ana Prata' AS number`, NUMBERED],
  ['null', sql`'Ana Prata' AS name, NULL AS number`, NUMBERED],
  [
    'missing, which may be null',
    sql`'Ana Prata' AS name`,
    columnsOf('professional', 'workingHours', 'specialHours'),
  ],
])('a row with a column that is %s is an error, which shows no value', async (_, columns, row) => {
  const reading = rowsOf(database.em(), row)`SELECT ${columns}`;
  const error = await reading.then(
    () => null,
    (caught: unknown) => caught,
  );
  expect(error).toBeInstanceOf(z.ZodError);
  expect(inspect(error, { depth: null })).not.toContain('Prata');
});

test.each(ENTITIES.map(({ meta }) => meta.tableName as keyof Tables))(
  'every column of %s has a kind',
  (table) => {
    expect(() => columnsOf(table, ...columnsExcept(table))).not.toThrow();
  },
);

test('a column that may have any value is not asked about', async () => {
  const tenants = tables(database.em()).selectFrom('tenant').select('id');
  const found = tenants.where((row) => hasValues(row, { id: clinic.tenantId, status: undefined }));
  expect(await found.execute()).toEqual([{ id: clinic.tenantId }]);
});

test('none of no values is found', async () => {
  const tenants = tables(database.em()).selectFrom('tenant').select('id');
  expect(await tenants.where('id', '=', anyOf<string>([])).execute()).toEqual([]);
});

const NAME = `Zebedia O'Unlikely ${uuidv7()}?`;

const failures: [string, string, (em: EntityManager) => Promise<unknown>][] = [
  [
    'an insert',
    'insert into "professional"',
    async (em) => {
      em.persist(
        em.create(ProfessionalEntity, {
          id: uuidv7(),
          tenantId: uuidv7(),
          name: NAME,
          specialty: '',
          metadata: { NAME },
        }),
      );
    },
  ],
  [
    'a change',
    'update "tenant"',
    async (em) => {
      const slugs = ['first', 'second'];
      const tenants = await em.findAll(TenantEntity);
      for (const [at, tenant] of tenants.entries())
        Object.assign(tenant, { publicSlug: slugs[at], legalName: NAME });
      await em.flush();
      for (const tenant of tenants) Object.assign(tenant, { publicSlug: 'same' });
    },
  ],
  [
    'a question',
    'from "professional"',
    (em) => em.find(ProfessionalEntity, { name: { $in: [NAME, 'x'] }, [raw('1 / 0')]: 1 }),
  ],
];

test.each(failures)('%s that PostgreSQL logs because it fails shows no value', async (_, text, fail) => {
  await Promise.all([aClinic(database), aClinic(database)]);
  const before = await readFile(testEnvironment('TEST_POSTGRES_LOG'), 'utf8');
  await expect(database.write(fail)).rejects.toThrow();
  const logged = (await readFile(testEnvironment('TEST_POSTGRES_LOG'), 'utf8')).slice(before.length);
  expect(logged).toContain(text);
  expect(logged).not.toContain('Unlikely');
});

test('a value comes back as it was stored', async () => {
  const { tenantId } = await aClinic(database);
  const metadata = { text: `'"\\?$1`, list: [1, null, 'a,b'], deep: { at: '2027-01-11T10:00:00Z' } };
  const id = uuidv7();
  await database.write(async (em) => {
    em.persist(
      em.create(ProfessionalEntity, { id, tenantId, name: NAME, specialty: '', bio: null, metadata }),
    );
  });
  const stored = await database.em().findOneOrFail(ProfessionalEntity, { id });
  expect(stored).toMatchObject({ name: NAME, bio: null, metadata });
});

const { id } = await book(database, clinic);

const writeOnce = <T>(work: (em: EntityManager) => Promise<T>) =>
  database.ofClinic(clinic.tenantId).write(work, { writesOnce: true });

async function setNumber(em: EntityManager, externalId: string): Promise<void> {
  await em.nativeUpdate(AppointmentEntity, { id }, { externalId });
}

async function number(): Promise<string | null> {
  return (await database.em().findOneOrFail(AppointmentEntity, { id })).externalId;
}

test('work that said it writes once is stopped at its second statement that writes', async () => {
  const twice = writeOnce(async (em) => {
    await setNumber(em, 'first');
    await setNumber(em, 'second');
  });
  await expect(twice).rejects.toThrow('wrote twice');
  expect(await number()).toBe('first');
});

test('it may read before and after, and use a transaction of its own', async () => {
  await writeOnce(async (em) => {
    await em.find(AppointmentEntity, { id });
    await setNumber(em, 'third');
    await em.find(AppointmentEntity, { id });
    await em.transactional(async (inner) => {
      await setNumber(inner, 'fourth');
      await setNumber(inner, 'fifth');
    });
  });
  expect(await number()).toBe('fifth');
});

test('other work beside it has its own count', async () => {
  const unknown = '0195571c-5a60-7a3e-9f00-2f5d1c9b7a99';
  const release = () => writeOnce((em) => releaseHold(em, clinic.tenantId, unknown)).catch(() => 'unknown');
  expect(await Promise.all([release(), release(), release()])).toEqual(['unknown', 'unknown', 'unknown']);
});

test('every function of the database that writes is known to write', async () => {
  const functions = await database.em().execute<{ name: string }[]>(
    `SELECT DISTINCT proname AS name
     FROM pg_proc
     WHERE pronamespace = 'public'::regnamespace
       AND prorettype <> 'trigger'::regtype
       AND prosrc ~* '\\m(insert\\s+into|update|delete\\s+from)\\M'`,
  );
  expect(functions.length).toBeGreaterThan(3);
  expect(functions.filter(({ name }) => !doesWrite(`SELECT * FROM ${name}(1)`))).toEqual([]);
});
