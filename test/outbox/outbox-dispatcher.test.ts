import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Client, Connection, WorkflowNotFoundError } from '@temporalio/client';
import { sql } from 'kysely';
import type { Database } from '../../db/connection/open-database.ts';
import { claimMessages, claimTimers } from '../../db/outbox/claim-messages.ts';
import { findOutboxBacklog } from '../../db/outbox/outbox-backlog.ts';
import { insertOutboxMessages } from '../../db/outbox/insert-messages.ts';
import type { OutboxMessage } from '../../domain/outbox-message.ts';
import { takeLease } from '../../db/outbox/lease-rows.ts';
import { AttemptShares } from '../../sending/attempt-shares.ts';
import { startOutboxDispatcher, type OutboxDispatcher } from '../../worker/outbox/outbox-dispatcher.ts';
import { TemporalDoor, TemporalSilent } from '../../worker/temporal/temporal-door.ts';
import { createCarryOut } from '../../worker/temporal/carry-out.ts';
import { aClinic, anEndpoint } from '../support/clinic.ts';
import { createTestDatabase, openDatabaseAt } from '../support/database.ts';
import { lockWaits } from '../support/lock-waits.ts';
import { testLogger } from '../support/test-logger.ts';
import { until } from '../support/until.ts';
import { insertWaitingDeliveries } from '../support/waiting-deliveries.ts';
import { forSuite } from '../support/for-suite.ts';

let database: Database;
const dispatchers = new Set<OutboxDispatcher>();

const testDatabase = await forSuite(createTestDatabase());
beforeEach(async () => {
  database = await openDatabaseAt(testDatabase.url);
});
afterEach(async () => {
  await Promise.all([...dispatchers].map((dispatcher) => dispatcher.stop()));
  dispatchers.clear();
  await database.em().execute('DELETE FROM outbox');
  await database[Symbol.asyncDispose]();
});

function dispatch(
  carryOut: (message: OutboxMessage) => Promise<unknown>,
  { on = database, reachTemporal = () => Promise.resolve(), startsPerSecond = 1000 } = {},
): OutboxDispatcher {
  const temporal = new TemporalDoor();
  temporal.open(unreachableTemporal());
  const dispatcher = startOutboxDispatcher({
    temporal,
    databaseUrl: testDatabase.url,
    database: on,
    shares: new AttemptShares(),
    startsPerSecond,
    send: noDeliveries,
    start: noDeliveries,
    reachTemporal,
    carryOut,
    logger: testLogger(),
  });
  dispatchers.add(dispatcher);
  return dispatcher;
}

function unreachableTemporal(): Client {
  return new Client({ connection: Connection.lazy({ address: '127.0.0.1:1' }) });
}

/** This is about the other messages. */
function noDeliveries(): Promise<never> {
  throw new Error('nothing here asks for a delivery');
}

function startNoShow(appointmentId: string): OutboxMessage {
  return { kind: 'startNoShow', appointmentId, clinicId: 'clinic', dueAt: '2030-01-01T00:00:00.000Z' };
}

function checkedIn(appointmentId: string): OutboxMessage {
  return { kind: 'settleNoShow', appointmentId, clinicId: 'clinic', signal: 'checkedIn' };
}

function retry(workflowId: string): OutboxMessage {
  const ids = { deliveryId: workflowId, tenantId: 'clinic', endpointId: 'endpoint', appointmentId: null };
  return { kind: 'retryDelivery', workflowId, delivery: { ...ids, eventType: 'appointment.created' } };
}

function ask(...messages: OutboxMessage[]): Promise<void> {
  return database.write(async (em) => {
    for (const message of messages) await insertOutboxMessages(em, message);
  });
}

async function untilEmpty(): Promise<void> {
  await until('an empty outbox', async () => (await findOutboxBacklog(database.em())).pending === 0);
}

/** Takes a few turns of the event loop, another number each time, so that answers overtake each other. */
async function unevenly(): Promise<void> {
  for (let turns = Math.floor(Math.random() * 20); turns > 0; turns -= 1) await nextTurn();
}

/** A lease that runs out, as it may on a machine that stands still for seconds, has others do the work once more. */
async function keepLeases(): Promise<AsyncDisposable> {
  await database.em().execute(`
    CREATE FUNCTION keep_lease() RETURNS trigger LANGUAGE plpgsql
    AS 'BEGIN NEW.held_until := ''infinity''; RETURN NEW; END';
    CREATE TRIGGER keep_lease BEFORE INSERT OR UPDATE ON worker_lease
    FOR EACH ROW EXECUTE FUNCTION keep_lease()`);
  return {
    [Symbol.asyncDispose]: async () => {
      await database.em().execute('DROP FUNCTION keep_lease CASCADE');
    },
  };
}

test('two dispatchers carry out every row once, and the rows of one appointment in order', async () => {
  await using _leases = await keepLeases();
  const told: string[] = [];
  const inFlight = new Set<string>();
  const overlapping: string[] = [];
  const carryOut = async (message: OutboxMessage) => {
    const key = 'appointmentId' in message ? (message.appointmentId ?? '') : message.kind;
    if (inFlight.has(key)) overlapping.push(key);
    inFlight.add(key);
    await unevenly();
    told.push(`${message.kind} ${key}`);
    inFlight.delete(key);
  };
  const ids = Array.from({ length: 100 }, (_, index) => `appointment-${index}`);
  for (const id of ids.slice(0, 50)) await ask(startNoShow(id), checkedIn(id));
  dispatch(carryOut);
  dispatch(carryOut);
  for (const id of ids.slice(50)) await ask(startNoShow(id), checkedIn(id));
  await untilEmpty();
  expect(overlapping).toEqual([]);
  expect(told).toHaveLength(200);
  expect(new Set(told).size).toBe(200);
  for (const id of ids) {
    expect(told.indexOf(`startNoShow ${id}`)).toBeLessThan(told.indexOf(`settleNoShow ${id}`));
  }
});

/** Timers that fire in so many minutes, as a booking asks for them. */
async function askForTimers(minutes: number, clinicId: string, ...appointmentIds: string[]): Promise<void> {
  const dueAt = new Date(Date.now() + minutes * 60_000).toISOString();
  await ask(
    ...appointmentIds.map((appointmentId) => ({
      kind: 'startNoShow' as const,
      appointmentId,
      clinicId,
      dueAt,
    })),
  );
}

/** The clinics of timers in the order in which they are started, one after the other. */
function startedTimers(): {
  clinics: string[];
  minutes: number[];
  carryOut: (message: OutboxMessage) => Promise<void>;
} {
  const clinics: string[] = [];
  const minutes: number[] = [];
  const carryOut = async (message: OutboxMessage) => {
    if (message.kind !== 'startNoShow') return;
    clinics.push(message.clinicId);
    minutes.push(Math.ceil((Date.parse(message.dueAt) - Date.now()) / 60_000));
  };
  return { clinics, minutes, carryOut };
}

test('of one clinic, the timers that fire sooner are started first', async () => {
  const { minutes, carryOut } = startedTimers();
  const ids = (name: string) => Array.from({ length: 20 }, (_, at) => `${name} ${at}`);
  await askForTimers(90, 'clinic', ...ids('third'));
  await askForTimers(60, 'clinic', ...ids('second'));
  await askForTimers(400_000, 'clinic', ...ids('a year ahead'));
  await askForTimers(4, 'clinic', ...ids('first'));
  dispatch(carryOut);
  await untilEmpty();
  expect(minutes).toHaveLength(80);
  // Those that are claimed together are started at once, in any order.
  expect(minutes.lastIndexOf(4)).toBeLessThan(minutes.indexOf(90));
  expect(minutes.lastIndexOf(60)).toBeLessThan(minutes.indexOf(400_000));
});

test('a timer of another clinic does not wait behind one clinic’s import', async () => {
  const { clinics, carryOut } = startedTimers();
  await askForTimers(60, 'import', ...Array.from({ length: 300 }, (_, at) => `imported ${at}`));
  await askForTimers(50_000, 'other', 'booked just now');
  dispatch(carryOut, { startsPerSecond: 100 });
  await until('the other clinic’s timer', () => clinics.includes('other'));
  expect(clinics.indexOf('other')).toBeLessThan(40);
  await untilEmpty();
});

test('a check-in waits for its timer to be started', async () => {
  const told: string[] = [];
  await askForTimers(90, 'clinic', 'early');
  await ask(checkedIn('early'));
  dispatch(async (message) => void told.push(message.kind));
  await untilEmpty();
  expect(told).toEqual(['startNoShow', 'settleNoShow']);
});

test('a message of a kind that only a newer version knows is refused and kept', async () => {
  const { rows } = await sql`
    INSERT INTO outbox (message) VALUES ('{"kind": "somethingNew"}'::jsonb) RETURNING id
  `.execute(database.em().getKysely());
  expect(rows).toHaveLength(1);
  const carryOut = createCarryOut({ temporal: { client: unreachableTemporal }, onStart: () => undefined });
  dispatch(carryOut);
  await until('the refusal', async () => (await findOutboxBacklog(database.em())).failing === 1);
  expect(await findOutboxBacklog(database.em())).toMatchObject({
    pending: 1,
    lastError: 'UnknownMessage: this version does not know outbox tasks of the kind somethingNew',
  });
});

test('what a workflow has to hear, or to begin with, is kept when the workflow ends at that moment', async () => {
  const ended = async () => {
    throw new WorkflowNotFoundError('workflow execution already completed', 'endpoint:ended', undefined);
  };
  const connection = Connection.lazy({ address: '127.0.0.1:1' });
  const client = new Client({
    connection,
    interceptors: { workflow: [{ signal: ended, signalWithStart: ended }] },
  });
  dispatch(createCarryOut({ temporal: { client: () => client }, onStart: () => undefined }));
  const deactivateAt = '2030-01-01T00:00:00.000Z';
  await ask(
    { kind: 'endpointCorrected', endpointId: 'ended', clinicId: 'clinic' },
    { kind: 'endpointFailing', endpointId: 'ended', clinicId: 'clinic', deactivateAt },
  );
  await until('the refusal', async () => (await findOutboxBacklog(database.em())).failing === 1);
  expect(await findOutboxBacklog(database.em())).toMatchObject({
    pending: 1,
    lastError: expect.stringContaining('WorkflowNotFoundError'),
  });
});

test('deliveries do not wait behind no-show timers that get stuck', async () => {
  const told: string[] = [];
  const stuck = Promise.withResolvers<void>();
  await askForTimers(60, 'clinic', ...Array.from({ length: 50 }, (_, index) => `appointment-${index}`));
  await ask(...Array.from({ length: 100 }, (_, index) => retry(`delivery-${index}`)));
  dispatch(async (message) => {
    if (message.kind === 'startNoShow') await stuck.promise;
    else told.push(message.kind);
  });
  await until('every delivery to be told', () => told.length === 100);
  stuck.resolve();
});

test('the outbox goes on while someone holds deliveries of an endpoint that is off', async () => {
  await using patient = await openDatabaseAt(testDatabase.url, {
    applicationName: 'patient',
    statementTimeoutMs: 600_000,
  });
  const { tenantId: clinicId } = await aClinic(database);
  const endpointId = await anEndpoint(database, clinicId);
  await database.em().execute(`UPDATE webhook_endpoint SET status = 'disabled' WHERE id = '${endpointId}'`);
  await insertWaitingDeliveries(database.em(), { clinicId, endpointId }, 50);
  const told: string[] = [];
  const letGo = Promise.withResolvers<void>();
  const held = database.write(async (em) => {
    await em.execute('SELECT FROM webhook_delivery FOR UPDATE');
    await letGo.promise;
  });
  const dispatcher = dispatch(async (message) => void told.push(message.kind), { on: patient });
  try {
    await until('deliveries that are waited for', async () => (await lockWaits(database.em())) >= 8);
    await ask(retry('workflow'));
    await until('the message', () => told.length === 1);
  } finally {
    letGo.resolve();
    await held;
    await untilEmpty();
    await dispatcher.stop();
    dispatchers.delete(dispatcher);
  }
});

test('a row that fails is put off with its error and tried again; it holds up its own key only', async () => {
  const told: string[] = [];
  let isBroken = true;
  await ask(startNoShow('broken'), checkedIn('broken'), startNoShow('healthy'), checkedIn('healthy'));
  dispatch(async (message) => {
    const id = 'appointmentId' in message ? (message.appointmentId ?? '') : '';
    if (id === 'broken' && isBroken) throw new Error('search attribute ClinicId is not defined');
    told.push(`${message.kind} ${id}`);
  });
  await until('two failures', async () => {
    const { rows } = await sql`SELECT 1 FROM outbox WHERE failures >= 2`.execute(database.em().getKysely());
    return rows.length > 0;
  });
  expect(await findOutboxBacklog(database.em())).toMatchObject({
    pending: 2,
    failing: 1,
    lastError: 'Error: search attribute ClinicId is not defined',
  });
  expect(told).toEqual(['startNoShow healthy', 'settleNoShow healthy']);
  isBroken = false;
  await untilEmpty();
  expect(told.slice(2)).toEqual(['startNoShow broken', 'settleNoShow broken']);
});

test('a dispatcher that does not reach Temporal leaves to another what needs it, until Temporal answers', async () => {
  const cutOff = { isAway: true, asked: 0 };
  const answer = () => (cutOff.isAway ? Promise.reject(new TemporalSilent(5000)) : Promise.resolve());
  const carryOut = () => {
    cutOff.asked += 1;
    return answer();
  };
  dispatch(carryOut, { reachTemporal: answer });
  await ask(retry('first'));
  await until('an outage that is noticed', () => cutOff.asked === 1);
  const told: string[] = [];
  const other = dispatch(async (message) => void told.push(message.kind));
  await ask(...Array.from({ length: 50 }, (_, nr) => retry(`later ${nr}`)));
  await untilEmpty();
  expect([cutOff.asked, told.length]).toEqual([1, 51]);
  await other.stop();
  cutOff.isAway = false;
  await ask(retry('last'));
  await untilEmpty();
  expect(cutOff.asked).toBe(2);
});

test('what a killed process had claimed is carried out when its lease has run out', async () => {
  await ask(startNoShow('orphan'), checkedIn('orphan'), retry('orphan'));
  const killed = randomUUID();
  await takeLease(database.em(), killed, 2);
  const claimed = [
    ...(await claimTimers(database.em(), killed, 64)),
    ...(await claimMessages(database.em(), killed, 64)),
  ];
  expect(claimed.map(({ message }) => message.kind)).toEqual(['startNoShow', 'retryDelivery']);
  expect(await claimMessages(database.em(), randomUUID(), 64)).toEqual([]);
  const told: string[] = [];
  dispatch(async (message) => void told.push(message.kind));
  await untilEmpty();
  expect(told.toSorted()).toEqual(['retryDelivery', 'settleNoShow', 'startNoShow']);
  expect(told.indexOf('startNoShow')).toBeLessThan(told.indexOf('settleNoShow'));
});

test('a dispatcher that stops ends what it has begun and leaves the rest', async () => {
  const begun = Promise.withResolvers<void>();
  const proceed = Promise.withResolvers<void>();
  await ask(startNoShow('one'), checkedIn('one'));
  const told: string[] = [];
  const dispatcher = dispatch(async (message) => {
    begun.resolve();
    await proceed.promise;
    told.push(message.kind);
  });
  await begun.promise;
  const stopped = dispatcher.stop();
  proceed.resolve();
  await stopped;
  expect(told).toEqual(['startNoShow']);
  expect(await findOutboxBacklog(database.em())).toMatchObject({ pending: 1, failing: 0 });
});

test('a dispatcher survives the loss of all its database connections', async () => {
  const told: string[] = [];
  dispatch(async (message) => void told.push(message.kind));
  await ask(retry('before'));
  await untilEmpty();
  await database.em().execute(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  );
  await until('the database to answer', () =>
    ask(retry('after')).then(
      () => true,
      () => false,
    ),
  );
  await until('the row after the loss', () => told.length >= 2);
  await until('the listener to be back', async () => {
    const { rows } = await sql`
      SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'worker outbox listener'
    `.execute(database.em().getKysely());
    return rows.length === 1;
  });
});
