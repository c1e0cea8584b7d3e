import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Client, type Connection, type PoolClient } from 'pg';
import { uuidv7 } from 'uuidv7';
import { sql } from 'kysely';
import type { ClinicDatabase, EntityManager } from '../../../db/connection/open-database.ts';
import { withinClinics, prepareForClinics, queryOfClinics } from '../../../db/connection/clinic-scope.ts';
import { CLINIC_ROLE } from '../../../db/migrations/clinic-walls.ts';
import { ProfessionalEntity } from '../../../db/entities/professional.entity.ts';
import { TenantEntity } from '../../../db/entities/tenant.entity.ts';
import { aClinic } from '../../support/clinic.ts';
import { suiteDatabase } from '../../support/database.ts';

const database = await suiteDatabase({ poolSize: 1 });
const [one, other] = [await aClinic(database), await aClinic(database)];

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
  await expect(kept.find(TenantEntity, {})).rejects.toThrow(
    'no clinic was given, so this statement may not read any rows',
  );
});

test('a scope without a clinic’s id is refused', async () => {
  await expect(async () => clinicsSeenBy(database.ofClinic(`${one.tenantId}}'; DROP`))).rejects.toThrow(
    TypeError,
  );
});

describe('the role of requests', () => {
  const WHO = 'SELECT current_user AS role, session_user AS login, pg_backend_pid() AS pid';
  interface Who {
    role: string;
    login: string;
    pid: number;
  }
  const whoAsks = async (em: EntityManager) => (await em.execute<Who[]>(WHO))[0];

  test('is that of each transaction, and the session stays that of its login', async () => {
    const { read, write } = database.ofClinic(one.tenantId);
    const lone = await read(whoAsks);
    const together = await write(whoAsks);
    const login = await database.em().execute<{ login: string }[]>('SELECT session_user AS login');
    expect([lone, together]).toEqual(
      [lone, lone].map((who) => ({ ...who, role: 'clinic_tenant', login: login[0]?.login })),
    );
  });

  test('is taken again by what comes after the end of a transaction on its connection', async () => {
    const seen = await withinClinics([one.tenantId], () =>
      database.ofClinic(one.tenantId).read((em) =>
        em
          .getKysely()
          .connection()
          .execute(async (connection) => {
            const ask = () => sql<Who>`${sql.raw(WHO)}`.execute(connection);
            await connection.transaction().execute((inside) => sql`SELECT 1`.execute(inside));
            await connection
              .transaction()
              .execute((inside) => sql`SELECT 1 / 0`.execute(inside))
              .catch(() => undefined);
            return (await ask()).rows[0]?.role;
          }),
      ),
    );
    expect(seen).toBe('clinic_tenant');
  });
});

/** What `clinic-scope.ts` rests on beside the documents of the driver. */
describe('a lone statement and its setting', () => {
  let client: PoolClient;
  let answers = 0;

  beforeEach(async () => {
    client = new Client({ connectionString: database.url }) as PoolClient;
    client.on('error', () => undefined);
    await client.connect();
    const { connection } = client as PoolClient & { connection: Connection };
    connection.on('readyForQuery', () => (answers += 1));
    answers = 0;
  });
  afterEach(() => (client as Client).end());

  const reach = () => ({ role: CLINIC_ROLE, clinics: `{${one.tenantId}}` });

  test.each([
    ['with a name', { name: 'named', text: 'SELECT id FROM tenant WHERE $1', values: [true] }],
    ['without one', { text: 'SELECT id FROM tenant WHERE $1', values: [true] }],
    ['without values', { text: 'SELECT id FROM tenant' }],
  ])('are one transaction and one round trip, %s', async (_how, statement) => {
    await prepareForClinics(client, CLINIC_ROLE);
    answers = 0;
    for (const _time of [1, 2]) {
      const { rows, rowCount, command } = await queryOfClinics(client, statement, reach());
      expect({ rows, rowCount, command }).toEqual({
        rows: [{ id: one.tenantId }],
        rowCount: 1,
        command: 'SELECT',
      });
    }
    expect(answers).toBe(2);
    const { rows } = await client.query(`SELECT current_user = session_user AS "isLogin"`);
    expect(rows).toEqual([{ isLogin: true }]);
  });

  test('end together: without the setting the statement does not run', async () => {
    await expect(
      queryOfClinics(client, { text: 'CREATE TABLE without_setting ()' }, reach()),
    ).rejects.toMatchObject({ code: '26000' });
    const { rows } = await client.query(`SELECT to_regclass('without_setting') AS found`);
    expect(rows).toEqual([{ found: null }]);
  });

  test('leave no connection in use that refused the statement after the setting', async () => {
    await prepareForClinics(client, CLINIC_ROLE);
    const named = (text: string) => queryOfClinics(client, { name: 'one name', text }, reach());
    await named('SELECT 1');
    await expect(named('SELECT 2')).rejects.toThrow('Prepared statements must be unique');
    await expect(client.query('SELECT 3')).rejects.toThrow();
  });
});
