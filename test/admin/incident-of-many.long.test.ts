import { expect, test } from '@jest/globals';
import { createApiClient } from '../support/api-client.ts';
import { book, inHours } from '../support/clinic.ts';
import { suiteApi } from '../support/servers/api-server.ts';
import { until } from '../support/until.ts';
import { adminProcessWith, answerOf, type Json } from './admin-runs.ts';
import { readsOfKey } from './reads-of-key.ts';

const api = await suiteApi();
const { clinic, database } = api;
const { tenantId, professionalIds } = clinic;
const admin = adminProcessWith({
  DATABASE_URL: api.databaseUrl,
  SERVICE_MODE: 'test',
  PHONE_HASH_KEY: Buffer.alloc(32, 7).toString('base64'),
  ENCRYPTION_KEY: Buffer.alloc(32, 9).toString('base64'),
});

const PATIENTS = 50_000;
const READ = 500;
const PAGE = 100;
/** The hour of the first appointment that the leaked key reads. */
const FIRST = 1000;

/** Each patient has an appointment and was seen by another key. */
async function fillClinic(): Promise<void> {
  for (const statement of [
    `INSERT INTO appointment (
       id, tenant_id, professional_id, patient_name, patient_phone_hash, starts_at, ends_at, block_from, block_until,
       blocks, status, source, name_hash, name_tokens
     )
     SELECT uuid_v7(), '${tenantId}', '${professionalIds[1]}', 'sealed', 'hash' || i, at, at + interval '1 hour', at, at + interval '1 hour', false, 'attended', 'manual', 'hash', '{}'
     FROM generate_series(1, ${PATIENTS - READ}) AS i, LATERAL (SELECT timestamptz '2026-01-01' + i * interval '1 minute' AS at)`,
    `INSERT INTO patient_read (id, tenant_id, actor, kind, subject_ids, request_ids)
     SELECT uuid_v7(), '${tenantId}', 'key:' || gen_random_uuid(), 'appointment', ARRAY[id], ARRAY[uuid_v7()]
     FROM appointment`,
    'ANALYZE',
  ])
    await database.em().execute(statement);
}

test('of 50,000 patients exactly the 500 are listed that a key has read', async () => {
  await fillClinic();
  const names: string[] = [];
  for (let nr = 0; nr < READ; nr += 1) {
    const patientName = `Patient ${nr}`;
    await book(database, clinic, { startsAt: inHours(FIRST + nr), patientName });
    names.push(patientName);
  }
  const leaked = createApiClient(api.url, await api.keyOf());
  const keyId = String((await leaked.get('/v1/api-keys/me')).body['id']);
  for (let from = 0; from < READ; from += PAGE) {
    const range = { from: inHours(FIRST + from), to: inHours(FIRST + from + PAGE) };
    const query = new URLSearchParams({
      from: range.from.toISOString(),
      to: range.to.toISOString(),
      limit: String(PAGE),
    });
    const { status, body } = await leaked.get(`/v1/appointments?${query.toString()}`);
    expect([status, (body['items'] as unknown[]).length]).toEqual([200, PAGE]);
  }
  await until('the access log', async () => (await readsOfKey(database, keyId)) === READ);
  const before = performance.now();
  const report = await answerOf(admin('incident', '--key', keyId));
  process.stderr.write(`incident took ${((performance.now() - before) / 1000).toFixed(2)} s\n`);
  const found = (report['patients'] as Json[]).map(({ patientName }) => String(patientName));
  expect(found.toSorted()).toEqual(names.toSorted());
});
