import { Pool } from 'pg';
import { uuidv7 } from 'uuidv7';
import { createCallNumberVault } from '../adapters/call-numbers.ts';
import { createPhoneHash } from '../adapters/phone-hash.ts';
import { createSecretCipher } from '../adapters/secret-cipher.ts';
import { dataDirectory as dataDirectoryOf } from '../dev/data-directory/data-directory.ts';
import { keepLocalKeys } from '../dev/data-directory/local-keys.ts';
import type { RunningInstance } from '../test/support/service.ts';
import type { BenchClinic } from './bench-clinic.ts';
import { percentile } from './percentile.ts';

const ROWS = 100_000;
const BATCH = 5_000;
const REQUESTS = 60;

/** How long lists of 50 take in a clinic with 100,000 appointments and as many calls, one request at a time. */
export async function measureLists(service: RunningInstance, clinic: BenchClinic) {
  const { databaseUrl } = service.running();
  const pool = new Pool({ connectionString: databaseUrl, max: 1 });
  try {
    await seedAppointments(pool, clinic);
    await seedCalls(pool, service, clinic);
    await pool.query('VACUUM ANALYZE appointment');
    await pool.query('VACUUM ANALYZE call');
  } finally {
    await pool.end();
  }
  const figures: Record<string, { p50: number; p95: number }> = {};
  for (const [name, path] of Object.entries(await listsOf(service, clinic))) {
    figures[name] = await measure(service, clinic.key, path);
  }
  return { rows: ROWS, limit: 50, milliseconds: figures };
}

async function listsOf(service: RunningInstance, clinic: BenchClinic): Promise<Record<string, string>> {
  const get = (path: string) => service.request(clinic.key, 'GET', path);
  const middle = new Date(Date.now() + 400 * 86_400_000).toISOString();
  const byStart = '/v1/appointments?limit=50';
  const updated = `${byStart}&updatedSince=2020-01-01T00:00:00Z`;
  const calls = '/v1/calls?limit=50';
  const next = async (path: string) => `${path}&cursor=${String((await get(path)).body['nextCursor'])}`;
  return {
    'appointments by start': byStart,
    'appointments by start, next page': await next(byStart),
    'appointments from the middle': `${byStart}&from=${middle}`,
    'appointments of a professional': `${byStart}&professionalId=${clinic.professionals[0]}&from=${middle}`,
    'appointments with a rare status': `${byStart}&status=no_show`,
    'appointments with an external id': `${byStart}&externalId=pms-50000`,
    'appointments by update': updated,
    'appointments by update, next page': await next(updated),
    calls,
    'calls, next page': await next(calls),
    'calls with a rare outcome': `${calls}&outcome=voicemail`,
  };
}

async function measure(service: RunningInstance, key: string, path: string) {
  const took: number[] = [];
  for (let i = 0; i < REQUESTS; i += 1) {
    const begun = performance.now();
    const { status } = await service.request(key, 'GET', path);
    took.push(performance.now() - begun);
    if (status !== 200) throw new Error(`${path} answered ${status}`);
  }
  const rounded = (value: number) => Math.round(value * 10) / 10;
  const settled = took.slice(10);
  return { p50: rounded(percentile(settled, 0.5)), p95: rounded(percentile(settled, 0.95)) };
}

/** One in a thousand is a no-show, one in five cancelled. */
async function seedAppointments(
  pool: Pool,
  { tenantId, professionals, service }: BenchClinic,
): Promise<void> {
  await pool.query(
    `INSERT INTO appointment (
       id, tenant_id, professional_id, service_type_id, patient_name, patient_phone_hash, starts_at, ends_at,
       block_from, block_until, blocks, status, source, external_id, updated_at
     )
     SELECT
       uuid_v7(), $1, ($2::uuid[])[1 + i % cardinality($2::uuid[])], $3, 'Patient ' || i, md5((i % 20000)::text),
       start, start + interval '5 minutes', start, start + interval '5 minutes', status = 'confirmed', status,
       'manual', 'pms-' || i, now() - interval '1 second' * ($4 - i)
     FROM generate_series(1, $4::int) AS i
     CROSS JOIN LATERAL (
       SELECT
         date_trunc('hour', now()) + interval '40 days' + interval '5 minutes' * (i / cardinality($2::uuid[])) AS start,
         CASE WHEN i % 1000 = 0 THEN 'no_show' WHEN i % 5 = 0 THEN 'cancelled' ELSE 'confirmed' END AS status
     ) made`,
    [tenantId, professionals, service, ROWS],
  );
}

/** Their numbers are encrypted as the service does it, or it could not read them. */
async function seedCalls(
  pool: Pool,
  { dataDirectory }: RunningInstance,
  { tenantId }: BenchClinic,
): Promise<void> {
  const keys = keepLocalKeys(dataDirectoryOf(dataDirectory).keys);
  const key = (text: string) => Buffer.from(text, 'base64');
  const numbers = createCallNumberVault(
    createSecretCipher(key(keys.encryptionKey)),
    createPhoneHash(key(keys.phoneHashKey)),
  );
  for (let first = 0; first < ROWS; first += BATCH) {
    const ids = Array.from({ length: BATCH }, () => uuidv7());
    const sealed = ids.map((id) =>
      numbers.seal({ tenantId, id }, { fromNumber: '+351910000000', toNumber: '+351210000000' }),
    );
    await pool.query(
      `INSERT INTO call (
         id, tenant_id, from_number_sealed, to_number_sealed, from_number_hash, status, outcome, started_at, ended_at
       )
       SELECT id, $1, from_sealed, to_sealed, 'hash', 'completed',
         CASE WHEN i % 1000 = 0 THEN 'voicemail' ELSE 'info_only' END,
         now() - interval '1 minute' * ($5 + i), now() - interval '1 minute' * ($5 + i - 1)
       FROM unnest($2::uuid[], $3::text[], $4::text[]) WITH ORDINALITY AS made (id, from_sealed, to_sealed, i)`,
      [
        tenantId,
        ids,
        sealed.map(({ fromNumberSealed }) => fromNumberSealed),
        sealed.map(({ toNumberSealed }) => toNumberSealed),
        first,
      ],
    );
  }
}
