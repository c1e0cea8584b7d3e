import { expect, test } from '@jest/globals';
import { findDueReminders } from '../../../db/appointments/reminder-scan.ts';
import { dueStarts } from '../../../domain/appointments/reminder.ts';
import { aClinic } from '../../support/clinic.ts';
import { suiteDatabase } from '../../support/database.ts';
import { makeSealedNames } from '../sealed-names.ts';
import { pagesFor, uuid } from './pages-read.ts';

/** One each half an hour, for almost two years. */
const ROWS = 30_000;
const NOW = new Date('2030-06-12T12:00:00Z');
const HOURS = [336, 48, 3];

const database = await suiteDatabase({ poolSize: 1, statementTimeoutMs: 60_000 });
const { tenantId, professionalIds } = await aClinic(database);
await makeSealedNames(database, tenantId, Array<string>(ROWS).fill('Maria'));
await database.em().execute(
  `INSERT INTO appointment (
     id, tenant_id, professional_id, patient_name, patient_phone_hash, starts_at, ends_at, block_from, block_until, blocks,
     status, source, name_hash, name_tokens, reminded_hours_before
   )
   SELECT ${uuid('i')}, '${tenantId}', '${professionalIds[0]}', name, 'hash', at, at + interval '1 hour', at,
     at + interval '1 hour', false, 'confirmed', 'manual', hash, tokens, CASE WHEN i % 2 = 0 THEN 336 END
   FROM sealed_name, LATERAL (SELECT timestamptz '2030-01-01' + i * interval '30 minutes' AS at)`,
);
await database.em().execute('VACUUM (ANALYZE) calendar_entry');

const search = (reachedAt: Date) =>
  pagesFor(database.em(), (em) =>
    findDueReminders(em, tenantId, { starts: dueStarts(HOURS, reachedAt, NOW), skip: 0, limit: 200 }),
  );

test('the search reads what has become due since the last one, however many appointments the clinic has', async () => {
  const sinceLast = await search(new Date(NOW.getTime() - 120_000));
  expect(sinceLast).toBeGreaterThan(0);
  expect(sinceLast).toBeLessThan(40);
});

test('after new settings, a page of the search reads only appointments of the coming two weeks', async () => {
  expect(await search(new Date(0))).toBeLessThan(3000);
});

test('no index has the columns of reminders: a booking adds no entry for them, and marking one touches no index', async () => {
  const indexes = await database
    .em()
    .execute<{ definition: string }[]>(
      `SELECT pg_get_indexdef(indexrelid) AS definition FROM pg_index WHERE indrelid = 'calendar_entry'::regclass`,
    );
  expect(indexes.length).toBeGreaterThan(10);
  const named = indexes.filter(({ definition }) =>
    /reminded_hours_before|patient_confirmed_at/.test(definition),
  );
  expect(named).toEqual([]);
});
