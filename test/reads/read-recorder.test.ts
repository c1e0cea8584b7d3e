import { expect, test } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import {
  startReadRecorder,
  type Reading,
  createRecentReads,
} from '../../commands/patient-reads/read-recorder.ts';
import { listPatientReads, type PatientRead } from '../../db/patient-reads/patient-reads.ts';
import { SAME_READ_MS } from '../../domain/patient-read.ts';
import { suiteDatabase, openDatabaseAt } from '../support/database.ts';
import { testLogger } from '../support/test-logger.ts';

const database = await suiteDatabase();

const APPOINTMENT = uuidv7();

/** A clinic of its own, and what is written down of it. */
function aReader(actor: string) {
  const tenantId = uuidv7();
  const reading = (changes: Partial<Reading> = {}): Reading => ({
    tenantId,
    actor,
    kind: 'appointment',
    ids: [APPOINTMENT],
    requestId: uuidv7(),
    ...changes,
  });
  const written = (): Promise<PatientRead[]> => listPatientReads(database.em(), { tenantId });
  return { reading, written };
}

function aRecorder(options: Partial<Parameters<typeof startReadRecorder>[0]> = {}) {
  let lost = 0;
  let ahead = 0;
  const recorder = startReadRecorder({
    database,
    onLost: (patients) => void (lost += patients),
    logger: testLogger(),
    now: () => new Date(Date.now() + ahead),
    ...options,
  });
  return {
    add: recorder.add,
    lost: () => lost,
    pass: (ms: number) => void (ahead += ms),
    [Symbol.asyncDispose]: () => recorder[Symbol.asyncDispose](),
  };
}

test('what one was shown in a second is one entry, with every request, written when the process stops at the latest', async () => {
  const { reading, written } = aReader('person:ana');
  const [one, other, requests] = [uuidv7(), uuidv7(), [uuidv7(), uuidv7()]];
  await using recorder = aRecorder();
  recorder.add(reading({ ids: [one], requestId: requests[0] as string }));
  recorder.add(reading({ ids: [one, other], requestId: requests[1] as string }));
  recorder.add(reading({ kind: 'call', ids: [one] }));
  await recorder[Symbol.asyncDispose]();
  const entries = (await written()).toReversed();
  expect(entries).toMatchObject([
    { actor: 'person:ana', kind: 'appointment', subjectIds: [one, other], requestIds: requests },
    { kind: 'call', subjectIds: [one] },
  ]);
});

test.each([
  ['person:ana', SAME_READ_MS.person],
  ['portal:of-a-partner', SAME_READ_MS.person],
  ['key:of-a-pms', SAME_READ_MS.program],
] as const)('what %s is shown again is recorded once in its time', async (actor, timeMs) => {
  const { reading, written } = aReader(actor);
  await using recorder = aRecorder();
  recorder.add(reading());
  recorder.pass(timeMs - 1000);
  recorder.add(reading());
  recorder.pass(1000);
  recorder.add(reading());
  await recorder[Symbol.asyncDispose]();
  expect((await written()).flatMap(({ subjectIds }) => subjectIds)).toEqual([APPOINTMENT, APPOINTMENT]);
});

test('no one else’s look keeps one from being written down', async () => {
  const [ana, rita] = [aReader('person:ana'), aReader('person:rita')];
  await using recorder = aRecorder();
  for (const { reading } of [ana, rita]) recorder.add(reading());
  await recorder[Symbol.asyncDispose]();
  expect([await ana.written(), await rita.written()]).toMatchObject([[{}], [{}]]);
});

test('a full recorder takes nothing more, counts what is lost, and writes it down when it is shown again', async () => {
  const { reading, written } = aReader('key:of-a-pms');
  const many = () => Array.from({ length: 1000 }, () => uuidv7());
  await using away = await openDatabaseAt('postgres://127.0.0.1:1/none', { applicationName: 'away' });
  let target: { em: typeof away.em } = away;
  await using recorder = aRecorder({ database: { em: () => target.em() } });
  for (let times = 0; times < 100; times += 1) recorder.add(reading({ ids: many() }));
  expect(recorder.lost()).toBe(0);
  recorder.add(reading());
  expect(recorder.lost()).toBe(1);
  target = database;
  await recorder[Symbol.asyncDispose]();
  expect((await written()).reduce((sum, { subjectIds }) => sum + subjectIds.length, 0)).toBe(100_000);
  await using next = aRecorder();
  next.add(reading());
  await next[Symbol.asyncDispose]();
  expect((await written())[0]?.subjectIds).toEqual([APPOINTMENT]);
});

test('what the database does not take is kept for the next round, and counted when there is none', async () => {
  const { reading, written } = aReader('person:ana');
  await using away = await openDatabaseAt('postgres://127.0.0.1:1/none', { applicationName: 'away' });
  const recorder = aRecorder({ database: away });
  recorder.add(reading({ ids: [uuidv7(), uuidv7()] }));
  await recorder[Symbol.asyncDispose]();
  expect([recorder.lost(), await written()]).toEqual([2, []]);
});

test('of a great many patients all is forgotten, rather than remembered for ever', () => {
  const seen = createRecentReads();
  const lately = { now: new Date(), forMs: SAME_READ_MS.program };
  const many = () => Array.from({ length: 1000 }, () => uuidv7());
  expect(seen.unseen('one', [APPOINTMENT], lately)).toEqual([APPOINTMENT]);
  for (let times = 0; times < 99; times += 1) seen.unseen('another', many(), lately);
  expect(seen.unseen('one', [APPOINTMENT], lately)).toEqual([]);
  seen.unseen('another', many(), lately);
  expect(seen.unseen('one', [APPOINTMENT], lately)).toEqual([APPOINTMENT]);
});
