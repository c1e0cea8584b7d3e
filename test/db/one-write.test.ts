import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { releaseHold } from '../../commands/appointments/holds/hold-slot.ts';
import { doesWrite } from '../../db/connection/one-write.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { AppointmentEntity } from '../../db/entities/appointment.entity.ts';
import { aClinic, book, type TestClinic } from '../support/clinic.ts';
import { openTestDatabase, type OpenTestDatabase } from '../support/database.ts';

let database: OpenTestDatabase;
let clinic: TestClinic;
let id: string;
beforeAll(async () => {
  database = await openTestDatabase();
  clinic = await aClinic(database);
  ({ id } = await book(database, clinic));
});
afterAll(() => database[Symbol.asyncDispose]());

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
