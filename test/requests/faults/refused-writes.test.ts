import { afterAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { bookingBody, inHours } from '../../support/clinic.ts';
import { suiteApi } from '../../support/servers/api-server.ts';
import { until } from '../../support/until.ts';

/** A server that takes no writes answers everything else, as a primary does that was made a standby. */

const api = await suiteApi();
const url = new URL(api.databaseUrl);
const name = url.pathname.slice(1);
url.pathname = '/postgres';
const server = new Client({ connectionString: url.href });
await server.connect();
afterAll(() => server.end());

const setReadOnly = (isReadOnly: boolean) =>
  server.query(`ALTER DATABASE ${name} SET default_transaction_read_only = ${isReadOnly}`);

/** As a server does that becomes another one. */
const endConnections = () =>
  server.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);

const bookIn = (hours: number) =>
  api.client.post('/v1/appointments', bookingBody(api.clinic, inHours(hours)));

test('a database that takes no writes is not ready, and is left for one that does', async () => {
  expect((await bookIn(24)).status).toBe(201);
  await setReadOnly(true);
  await endConnections();
  const isReady = async () => (await api.client.get('/health/ready')).status === 200;
  await until('the service to be unready', async () => !(await isReady()));
  const refused = await bookIn(25);
  expect([refused.status, refused.body['error']]).toEqual([503, 'temporarily_unavailable']);
  expect(refused.headers.get('retry-after')).toBe('2');
  // What is open now stays read-only until it is left.
  await setReadOnly(false);
  await until('the service to be ready', isReady);
  expect((await bookIn(25)).status).toBe(201);
});
