import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { rollApiKey } from '../../commands/clinic/change-api-key.ts';
import { createApiKey } from '../../commands/clinic/create-api-key.ts';
import { aClinic, asOperator } from '../support/clinic.ts';
import { openTestDatabase, type OpenTestDatabase } from '../support/database.ts';

let database: OpenTestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

test('a key that was rolled after its request came, and before the request’s turn, makes no key that has ended already', async () => {
  const { tenantId } = await aClinic(database);
  const input = { tenantId, name: 'PMS', scopes: ['keys:write'], expiresAt: null, mode: 'test' } as const;
  const { id } = (await database.write((em) => createApiKey(em, input, asOperator()))).row;
  const itself = { tenantId, keyId: id, callerKeyId: id, overlapSeconds: 0, mode: 'test' } as const;
  const earlier = { ...asOperator(), now: new Date(Date.now() - 5000) };
  await database.write((em) => rollApiKey(em, itself, asOperator()));

  const refused = { code: 'api_key_expired' };
  await expect(database.write((em) => rollApiKey(em, itself, earlier))).rejects.toMatchObject(refused);
  const child = { ...input, parentKeyId: id };
  await expect(database.write((em) => createApiKey(em, child, earlier))).rejects.toMatchObject(refused);
});
