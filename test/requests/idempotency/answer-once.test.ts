import { beforeEach, expect, test } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { createAnswerOnce, type Performance } from '../../../api/middleware/idempotency/answer-once.ts';
import { purgeIdempotencyRecords } from '../../../db/requests/idempotency-records.ts';
import type { EntityManager } from '../../../db/connection/open-database.ts';
import { ServiceError } from '../../../domain/service-error.ts';
import { aClinic } from '../../support/clinic.ts';
import { suiteDatabase, openDatabaseAt } from '../../support/database.ts';

const POOL_SIZE = 2;

let key: string;

const database = await suiteDatabase({ poolSize: POOL_SIZE, applicationName: 'answer-once-test' });
const { tenantId } = await aClinic(database);
await database.em().execute('CREATE TABLE work_done (what text NOT NULL)');
await database.em().execute('GRANT ALL ON work_done TO clinic_tenant');

beforeEach(async () => {
  key = uuidv7();
  await database.em().execute('DELETE FROM work_done');
});

function aRequest(changes: { fingerprint?: string } = {}) {
  return { tenantId, key, fingerprint: 'a', ...changes };
}

function refuse(error: ServiceError) {
  return { status: error.status, body: { error: error.code } };
}

function note(em: EntityManager, what: string) {
  return em.execute('INSERT INTO work_done VALUES (?)', [what]);
}

async function workDone(): Promise<string[]> {
  const rows = await database.em().execute<{ what: string }[]>('SELECT what FROM work_done ORDER BY what');
  return rows.map(({ what }) => what);
}

/** Writes `what`, then does as told. */
function performing(what: string, then: (em: EntityManager) => unknown = () => undefined): Performance {
  return {
    refuse,
    perform: async ({ write }) => {
      await write(async (em) => {
        await note(em, what);
        await then(em);
      });
      return { status: 201, body: { what }, headers: { ETag: '"1"' } };
    },
  };
}

function failing(error: Error): Performance {
  return performing('failed', () => {
    throw error;
  });
}

const answerOnce = (...given: Parameters<ReturnType<typeof createAnswerOnce>>) =>
  createAnswerOnce(database)(...given);

test('a repeated request gets the first answer, and its work is not done again', async () => {
  const first = await answerOnce(aRequest(), performing('first'));
  const second = await answerOnce(aRequest(), performing('second'));
  expect(first).toEqual({ status: 201, body: { what: 'first' }, headers: { ETag: '"1"' } });
  expect(second).toEqual({
    ...first,
    headers: { ETag: '"1"', 'Idempotency-Replayed': 'true' },
  });
  expect(await workDone()).toEqual(['first']);
});

test.each(['not_found', 'slot_conflict', 'version_mismatch', 'starts_in_past'] as const)(
  'the refusal %s is kept, without the work that led to it',
  async (code) => {
    const first = await answerOnce(aRequest(), failing(new ServiceError(code, 'no')));
    const second = await answerOnce(aRequest(), performing('second'));
    expect(second).toMatchObject({ status: first.status, body: { error: code } });
    expect(second.headers).toEqual({ 'Idempotency-Replayed': 'true' });
    expect(await workDone()).toEqual([]);
  },
);

test.each([
  ['a request that cannot be read', new ServiceError('malformed_request', 'no')],
  ['a missing scope', new ServiceError('insufficient_scope', 'no')],
  ['an outage', new ServiceError('temporarily_unavailable', 'no')],
  ['a fault of ours', new Error('no')],
])('after %s nothing is stored, and the same request runs again', async (_, error) => {
  await expect(answerOnce(aRequest(), failing(error))).rejects.toBe(error);
  await answerOnce(aRequest(), performing('second'));
  expect(await workDone()).toEqual(['second']);
});

test('an error of PostgreSQL inside the work leaves nothing behind', async () => {
  const broken = performing('broken', (em) => em.execute('SELECT 1 / 0'));
  await expect(answerOnce(aRequest(), broken)).rejects.toThrow('division by zero');
  expect(await workDone()).toEqual([]);
});

test('a refusal after an error of PostgreSQL that the command understood is kept', async () => {
  const violating: Performance = {
    refuse,
    perform: ({ write }) =>
      write(async (em) => {
        await note(em, 'before');
        await em.execute('INSERT INTO work_done VALUES (NULL)').catch(() => {
          throw new ServiceError('external_id_conflict', 'taken');
        });
        return { status: 201, body: {} };
      }),
  };
  const first = await answerOnce(aRequest(), violating);
  expect(first).toEqual({ status: 409, body: { error: 'external_id_conflict' } });
  expect((await answerOnce(aRequest(), performing('second'))).status).toBe(409);
  expect(await workDone()).toEqual([]);
});

test('a lost connection leaves neither work nor answer', async () => {
  const cut = performing('cut', async () => {
    const other = await openDatabaseAt(database.url, { applicationName: 'cutter' });
    await other.em().execute(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'answer-once-test' AND state = 'idle in transaction'`,
    );
    await other[Symbol.asyncDispose]();
  });
  await expect(answerOnce(aRequest(), cut)).rejects.toThrow();
  expect(await workDone()).toEqual([]);
  await answerOnce(aRequest(), performing('second'));
  expect(await workDone()).toEqual(['second']);
});

test('the same key with another request is refused', async () => {
  await answerOnce(aRequest(), performing('first'));
  await expect(answerOnce(aRequest({ fingerprint: 'b' }), performing('second'))).rejects.toMatchObject({
    code: 'idempotency_key_reused',
  });
  expect(await workDone()).toEqual(['first']);
});

test('another clinic may use the same key', async () => {
  const other = await aClinic(database);
  await answerOnce(aRequest(), performing('first'));
  await answerOnce({ ...aRequest(), tenantId: other.tenantId }, performing('second'));
  expect(await workDone()).toEqual(['first', 'second']);
});

test('twins that come while the first is at work wait for it and hold no connection', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: started, resolve: start } = Promise.withResolvers<void>();
  const first = answerOnce(
    aRequest(),
    performing('first', () => (start(), released)),
  );
  await started;
  const twins = Array.from({ length: 20 }, () => answerOnce(aRequest(), performing('twin')));
  // The first holds one of two connections; the other one serves twenty waiting twins and this.
  for (let look = 0; look < 20; look += 1) await database.ping();
  release();
  const bodies = (await Promise.all([first, ...twins])).map(({ body }) => body);
  expect(bodies).toEqual([first, ...twins].map(() => ({ what: 'first' })));
  expect(await workDone()).toEqual(['first']);
});

test('until its first write a request holds no connection', async () => {
  const { promise: looked, resolve: findName } = Promise.withResolvers<void>();
  const requests = Array.from({ length: 2 * POOL_SIZE }, (_, at) =>
    answerOnce(
      { ...aRequest(), key: `slow-${at}` },
      { refuse, perform: (...given) => looked.then(() => performing('slow').perform(...given)) },
    ),
  );
  await database.ping();
  findName();
  await Promise.all(requests);
  expect(await workDone()).toEqual(requests.map(() => 'slow'));
});

test.each([
  ['book', (at: number) => performing(`twin ${at}`)],
  [
    'be refused',
    (at: number) => ({ refuse, perform: () => Promise.reject(new ServiceError('not_found', `${at}`)) }),
  ],
])(
  'of twins that are about to %s at the same moment, one does and the others repeat its answer',
  async (_, twin) => {
    const { promise: all, resolve: go } = Promise.withResolvers<void>();
    let ready = 0;
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, at) =>
        answerOnce(aRequest(), {
          refuse,
          perform: async (...given) => {
            ready += 1;
            if (ready === 5) go();
            await all;
            return twin(at).perform(...given);
          },
        }),
      ),
    );
    expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
    expect(answers.filter(({ headers }) => headers?.['Idempotency-Replayed'])).toHaveLength(4);
  },
);

test('when the first fails, exactly one of its waiting twins does the work', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: started, resolve: start } = Promise.withResolvers<void>();
  const fault = new Error('a fault of ours');
  const first = answerOnce(
    aRequest(),
    performing('first', async () => {
      start();
      await released;
      throw fault;
    }),
  );
  await started;
  const twins = Array.from({ length: 10 }, () => answerOnce(aRequest(), performing('twin')));
  release();
  await expect(first).rejects.toBe(fault);
  await Promise.all(twins);
  expect(await workDone()).toEqual(['twin']);
});

test('a twin that has waited as long as it may is told that the first is still running', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: started, resolve: start } = Promise.withResolvers<void>();
  const first = answerOnce(
    aRequest(),
    performing('first', () => (start(), released)),
  );
  await started;
  const impatient = createAnswerOnce(database, 100);
  await expect(impatient(aRequest(), performing('twin'))).rejects.toMatchObject({
    code: 'idempotency_in_progress',
  });
  release();
  await first;
  expect(await workDone()).toEqual(['first']);
});

test('after 24 hours a key may be used for something else', async () => {
  await answerOnce(aRequest(), performing('first'));
  const [kept] = await database
    .em()
    .execute<{ hours: number }[]>(
      `SELECT round(extract(epoch FROM expires_at - now()) / 3600)::int AS hours FROM idempotency_record ORDER BY expires_at DESC LIMIT 1`,
    );
  expect(kept?.hours).toBe(24);
  await expireRecords();
  const second = await answerOnce(aRequest({ fingerprint: 'b' }), performing('second'));
  expect(second).toEqual({ status: 201, body: { what: 'second' }, headers: { ETag: '"1"' } });
  expect((await answerOnce(aRequest({ fingerprint: 'b' }), performing('third'))).body).toEqual({
    what: 'second',
  });
});

test('expired records are removed, a few at a time, and the others stay', async () => {
  const em = database.em();
  await em.execute('DELETE FROM idempotency_record');
  for (const name of ['1', '2', '3']) await answerOnce({ ...aRequest(), key: name }, performing(name));
  await expireRecords();
  await answerOnce(aRequest(), performing('current'));
  expect(await purgeIdempotencyRecords(em, 2)).toBe(2);
  expect(await purgeIdempotencyRecords(em, 2)).toBe(1);
  expect(await purgeIdempotencyRecords(em, 2)).toBe(0);
  expect((await answerOnce(aRequest(), performing('again'))).body).toEqual({ what: 'current' });
});

test('neither the key nor anything of request and answer can be read in the database', async () => {
  await answerOnce({ ...aRequest(), key: 'booking-of-Maria' }, performing('secret-of-Maria'));
  const [row] = await database
    .em()
    .execute<{ text: string }[]>(
      `SELECT string_agg(record::text || encode(key_hash, 'escape'), ' ') AS text FROM idempotency_record record`,
    );
  expect(row?.text).not.toContain('Maria');
  expect(row?.text).not.toContain('"1"');
});

function expireRecords() {
  return database.em().execute(`UPDATE idempotency_record SET expires_at = now() - interval '1 second'`);
}
