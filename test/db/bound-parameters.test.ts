import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { raw } from '@mikro-orm/postgresql';
import { uuidv7 } from 'uuidv7';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { ProfessionalEntity } from '../../db/entities/professional.entity.ts';
import { TenantEntity } from '../../db/entities/tenant.entity.ts';
import { aClinic } from '../support/clinic.ts';
import { openTestDatabase, type OpenTestDatabase } from '../support/database.ts';
import { testEnvironment } from '../support/environment/test-environment.ts';

let database: OpenTestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});

afterAll(() => database[Symbol.asyncDispose]());

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
