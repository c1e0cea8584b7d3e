import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { revokeApiKey, rollApiKey } from '../../commands/clinic/change-api-key.ts';
import { createApiKey } from '../../commands/clinic/create-api-key.ts';
import { KeysRolledFromMigration } from '../../db/migrations/007-keys-rolled-from.ts';
import { aClinic, asOperator } from '../support/clinic.ts';
import { openTestDatabase, type OpenTestDatabase } from '../support/database.ts';

let database: OpenTestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

test('a key that was rolled before keys named what they replaced is known from the audit, and ends with it too', async () => {
  const { tenantId } = await aClinic(database);
  const input = { tenantId, name: 'PMS', scopes: ['keys:write'], expiresAt: null, mode: 'test' } as const;
  const { id } = (await database.write((em) => createApiKey(em, input, asOperator()))).row;
  const itself = { tenantId, keyId: id, callerKeyId: id, overlapSeconds: 60, mode: 'test' } as const;
  const successor = (await database.write((em) => rollApiKey(em, itself, asOperator()))).row;
  await database.em().execute('UPDATE api_key SET rolled_from_key_id = NULL WHERE id = ?', [successor.id]);

  const em = database.em();
  const migration = new KeysRolledFromMigration(em.getDriver(), em.config);
  migration.up();
  for (const statement of migration.getQueries()) {
    if (typeof statement !== 'string') throw new TypeError('the migration is plain SQL');
    await em.execute(statement);
  }

  const { alsoEnded } = await database.write((inner) =>
    revokeApiKey(inner, { tenantId, keyId: id }, asOperator()),
  );
  expect(alsoEnded.keys.map((key) => key.id)).toEqual([successor.id]);
});
