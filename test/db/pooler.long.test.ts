import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { untilOwnDatabase } from '../../commands/until-own-database.ts';
import { openDatabase } from '../../db/connection/open-database.ts';
import { anyPort } from '../../dev/processes/free-port.ts';
import { createApiClient } from '../support/api-client.ts';
import { aClinic, aKey, bookingBody, inHours } from '../support/clinic.ts';
import { createTestDatabase } from '../support/database.ts';
import { TEST_ENCRYPTION_KEY, TEST_SEALING } from '../support/sealing.ts';
import { startApiProcess } from '../support/servers/api-process.ts';
import { testLogger } from '../support/test-logger.ts';
import { until } from '../support/until.ts';
import { forSuite } from '../support/for-suite.ts';

/** The real pgbouncer, of Debian's package, with nothing set that lets start parameters through. */

const PROGRAM = 'pgbouncer';
const options = { sealing: TEST_SEALING, applicationName: 'test' };

const own = await forSuite(createTestDatabase());

describe('in session mode', () => {
  let pooler: Pooler;

  beforeAll(async () => {
    pooler = await startPooler('session');
  });
  afterAll(async () => pooler[Symbol.asyncDispose]());

  test('every connection has its time limits, and those of requests their role', async () => {
    await using database = await openDatabase({ ...options, url: pooler.url, statementTimeoutMs: 4321 });
    const [limits] = await database
      .em()
      .execute(
        "SELECT current_setting('statement_timeout') AS statement, current_setting('idle_in_transaction_session_timeout') AS idle",
      );
    expect(limits).toEqual({ statement: '4321ms', idle: '30s' });
    const [session] = await database.ofClinics([]).read((em) => em.execute('SELECT current_user AS role'));
    expect(session).toEqual({ role: 'clinic_tenant' });
  });

  test('a clinic sees its own rows, no matter who used the connection before', async () => {
    await using database = await openDatabase({ ...options, url: pooler.url, poolSize: 1 });
    const [mine, theirs] = [await aClinic(database), await aClinic(database)];
    const countOf = (tenantId: string) =>
      database.ofClinic(tenantId).read((em) => em.execute('SELECT id FROM professional'));
    expect([(await countOf(mine.tenantId)).length, (await countOf(theirs.tenantId)).length]).toEqual([1, 1]);
    await using later = await openDatabase({ ...options, url: pooler.url });
    expect((await later.em().execute('SELECT id FROM professional')).length).toBeGreaterThan(1);
  });

  test('what a session has set is gone when its connection goes back', async () => {
    await using database = await openDatabase({ ...options, url: pooler.url });
    await database.ofClinics([]).read((em) => em.execute('SELECT 1'));
    await database[Symbol.asyncDispose]();
    const client = new Client({ connectionString: pooler.url });
    await client.connect();
    const { rows } = await client.query(
      "SELECT current_user AS role, current_setting('statement_timeout') AS timeout",
    );
    await client.end();
    expect(rows).toEqual([{ role: 'postgres', timeout: '0' }]);
  });

  test('the API books over it', async () => {
    await using database = await openDatabase({ ...options, url: own.url });
    const clinic = await aClinic(database);
    const key = await aKey(database, clinic.tenantId);
    await using api = await startApiProcess(pooler.url, {
      ENCRYPTION_KEY: TEST_ENCRYPTION_KEY.toString('base64'),
    });
    const booked = await createApiClient(api.url, key).post(
      '/v1/appointments',
      bookingBody(clinic, inHours(24)),
    );
    expect(booked.status).toBe(201);
  });
});

test('transaction mode is refused at the start, in words', async () => {
  await using pooler = await startPooler('transaction');
  const waiting = { logger: testLogger(), signal: AbortSignal.timeout(30_000) };
  const start = untilOwnDatabase({ database: { url: pooler.url }, mode: 'test' }, waiting);
  await expect(start).rejects.toThrow('a pooler in transaction mode');
});

interface Pooler extends AsyncDisposable {
  url: string;
}

async function startPooler(mode: 'session' | 'transaction'): Promise<Pooler> {
  const directory = await mkdtemp(join(tmpdir(), 'pooler-'));
  // It runs under another account than root, which has to pass through here.
  await chmod(directory, 0o755);
  const url = new URL(own.url);
  const server = `host=${url.hostname} port=${url.port} user=${url.username} password=${url.password}`;
  url.port = String(await anyPort('127.0.0.1'));
  const file = join(directory, 'pgbouncer.ini');
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: url.port,
    unix_socket_dir: '',
    auth_type: 'any',
    pool_mode: mode,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  await writeFile(file, `[databases]\n* = ${server}\n[pgbouncer]\n${lines.join('\n')}\n`);
  const account = process.getuid?.() === 0 ? ['-u', 'postgres'] : [];
  const child = spawn(PROGRAM, ['--quiet', ...account, file], { stdio: 'ignore' });
  await once(child, 'spawn');
  const exited = once(child, 'exit');
  await until('pgbouncer to answer', () => answers(url.href));
  return {
    url: url.href,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await exited;
      await rm(directory, { recursive: true });
    },
  };
}

async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url });
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end();
  }
}
