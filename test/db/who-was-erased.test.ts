import { expect, test } from '@jest/globals';
import { WhoWasErasedMigration } from '../../db/migrations/004-who-was-erased.ts';
import { aClinic, book, inHours } from '../support/clinic.ts';
import { openTestDatabase } from '../support/database.ts';

test('names that the version before has erased are null, and ids of other systems are composed', async () => {
  await using database = await openTestDatabase();
  const clinic = await aClinic(database);
  const em = database.em();
  const apart = 'José'.normalize('NFD');
  const [one, two, three] = [
    await book(database, clinic, { startsAt: inHours(30) }),
    await book(database, clinic, { startsAt: inHours(32), externalId: 'José' }),
    await book(database, clinic, { startsAt: inHours(34) }),
  ];
  const set = (id: string, change: string, values: string[] = []) =>
    em.execute(`UPDATE appointment SET ${change} WHERE id = ?`, [...values, id]);
  await set(one.id, "patient_name = 'erased', name_hash = NULL, name_tokens = NULL");
  await set(one.id, 'external_id = ?, patient_external_id = ?', [`${apart} 1`, apart]);
  await set(three.id, 'external_id = ?', [apart]);
  const migration = new WhoWasErasedMigration(em.getDriver(), em.config);
  migration.up();
  const queries = migration.getQueries().filter((query) => typeof query === 'string');
  for (const query of queries) await em.execute(query);
  const rows = await em.execute(
    'SELECT id, patient_name IS NULL AS erased, external_id AS of_visit, patient_external_id AS of_patient FROM appointment ORDER BY starts_at',
  );
  expect(rows).toEqual([
    { id: one.id, erased: true, of_visit: 'José 1', of_patient: 'José' },
    { id: two.id, erased: false, of_visit: 'José', of_patient: null },
    // Another visit has the id, so this one stays as it is.
    { id: three.id, erased: false, of_visit: apart, of_patient: null },
  ]);
});
