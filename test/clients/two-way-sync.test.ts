import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { appointmentsIn, createApiClient, type ApiClient } from '../support/api-client.ts';
import { aClinic, bookingBody, inHours, type TestClinic } from '../support/clinic.ts';
import { anyOf } from '../support/any-of.ts';
import { suiteApi } from '../support/servers/api-server.ts';
import { SYNC_LANGUAGES, withSyncProgram, type SyncProgram } from './sync-program.ts';
import { startUnsteadyProxy, type UnsteadyProxy } from './unsteady-proxy.ts';
import {
  asLine,
  calendarOf,
  eventsFor,
  HALF_HOUR_MS,
  practiceBooks,
  practiceChanges,
  receptionActs,
  type Shown,
} from './practice.ts';

/** `OPERATIONS=2000 npm test -- test/clients/two-way-sync`: more of them. */
const OPERATIONS = Number(process.env['OPERATIONS'] ?? 150);

const api = await suiteApi();

/** A practice with its system on one side of an unsteady network, the reception on the other. */
interface Practice {
  clinic: TestClinic;
  program: SyncProgram;
  proxy: UnsteadyProxy;
  reception: ApiClient;
  endpointId: string;
  /** Events that were sent, or lost. */
  gone: Set<string>;
}

test.each(SYNC_LANGUAGES)(
  `after ${OPERATIONS} operations from both sides over an unsteady network both books are equal, in $name`,
  async (language) => {
    const clinic = await aClinic(api.database, { professionals: 2 });
    const { tenantId } = clinic;
    await using proxy = await startUnsteadyProxy(api.url);
    const ofPms = await api.keyOf({ tenantId });
    const pms = createApiClient(api.url, ofPms);
    const { body: own } = await pms.get('/v1/api-keys/me');
    const endpoint = {
      url: 'https://pms.example/hook',
      events: ['appointment.*'],
      ignoreActors: [own['id']],
    };
    const { body: made } = await pms.post('/v1/webhook-endpoints', endpoint);
    const reception = createApiClient(api.url, await api.keyOf({ tenantId }));
    const env = { API_URL: proxy.url, API_KEY: ofPms };
    await withSyncProgram(language, env, async (program) => {
      const gone = new Set<string>();
      const practice = { clinic, program, proxy, reception, endpointId: String(made['id']), gone };
      for (let done = 0; done < OPERATIONS;) done += await anyOf(STEPS)(practice);
      await settle(practice);
      await expectEqualBooks(practice);
    });
  },
);

test.each(SYNC_LANGUAGES)(
  'a first import that is cut off, loses answers and is repeated brings the book in once, in $name',
  async (language) => {
    const clinic = await aClinic(api.database, { professionals: 2 });
    await using proxy = await startUnsteadyProxy(api.url);
    const key = await api.keyOf({ tenantId: clinic.tenantId });
    const reception = createApiClient(api.url, key);
    const env = { API_URL: proxy.url, API_KEY: key };
    const past = pastVisits(clinic, VISITS - 1);
    // A visit that has ended is taken as it was; one ahead is not booked over another.
    const ahead = {
      ...past[0],
      externalId: 'ahead',
      startsAt: inHours(24 * 30).toISOString(),
      status: 'confirmed',
    };
    const before = [...past, ahead];
    const twice = { ...ahead, externalId: 'of a slot that is taken', patientName: 'Someone else' };
    await withSyncProgram(language, env, (program) => program.importAll(before.slice(0, VISITS / 2)));
    await withSyncProgram(language, env, async (program) => {
      proxy.loseNext(4);
      await program.importAll([...before, twice]);
      proxy.calmDown();
      const first = await calendarOf(reception);
      await program.importAll(before);
      expect(await calendarOf(reception)).toEqual(first);
      expect(first.length).toBe(VISITS);
      await program.catchUp();
      const { book, wishes, forTheDesk } = await program.report();
      expect((book as unknown as Shown[]).map(asLine).sort()).toEqual(first);
      expect([wishes, forTheDesk]).toEqual([0, ['slot_conflict: of a slot that is taken']]);
    });
  },
);

test.each(SYNC_LANGUAGES)(
  'a change of an appointment that the service does not have is one for the desk, in $name',
  async (language) => {
    const { tenantId } = await aClinic(api.database);
    const env = { API_URL: api.url, API_KEY: await api.keyOf({ tenantId }) };
    await withSyncProgram(language, env, async (program) => {
      await program.wishToChange(randomUUID(), { patientName: 'Ana Martins' });
      await program.push();
      const { wishes, forTheDesk } = await program.report();
      expect([wishes, forTheDesk]).toEqual([0, [expect.stringMatching(/^not_found: /)]]);
    });
  },
);

test.each(SYNC_LANGUAGES)(
  'an acknowledgement that is refused is one for the desk, in $name',
  async (language) => {
    const clinic = await aClinic(api.database);
    const client = createApiClient(api.url, await api.keyOf({ tenantId: clinic.tenantId }));
    const { body: appointment } = await client.post('/v1/appointments', bookingBody(clinic, inHours(24)));
    const reader = await api.keyOf({ tenantId: clinic.tenantId, scopes: ['appointments:read'] });
    await withSyncProgram(language, { API_URL: api.url, API_KEY: reader }, async (program) => {
      await program.receive({ data: { appointment: { ...appointment, externalId: 'pms-1' } } });
      await program.push();
      expect((await program.report()).forTheDesk).toEqual([expect.stringMatching(/^insufficient_scope: /)]);
    });
  },
);

const VISITS = 600;

/** What a practice has in its book before it comes to the service. */
function pastVisits({ professionalIds, serviceTypeId }: TestClinic, count: number) {
  return Array.from({ length: count }, (_, nr) => ({
    externalId: `visit-${nr}`,
    professionalId: professionalIds[nr % professionalIds.length],
    serviceTypeId,
    startsAt: new Date(inHours(-24 * 365).getTime() + nr * HALF_HOUR_MS).toISOString(),
    status: ['attended', 'no_show', 'cancelled'][nr % 3],
    patientName: `Patient ${nr}`,
    patientPhone: '+351912345678',
  }));
}

/** What happens next; returns how many operations that were. */
type Step = (practice: Practice) => Promise<number>;

const bothAtOnce: Step = async (practice) => {
  const [, acted] = await Promise.all([practice.program.push(), receptionActs(practice)]);
  return acted;
};

/** In any order, some twice, some never. */
const eventsArrive: Step = async ({ program, endpointId, gone }) => {
  for (const { id, body } of await eventsFor(api.database, endpointId, gone)) {
    gone.add(id);
    const times = anyOf([0, 1, 1, 1, 1, 2]);
    for (let time = 0; time < times; time += 1) await program.receive(JSON.parse(body));
  }
  return 0;
};

const networkFails: Step = async ({ proxy, program }) => {
  proxy.loseNext(2);
  await program.push();
  return 0;
};

const catchesUp: Step = async ({ program }) => {
  await program.catchUp();
  return 0;
};

const STEPS: readonly Step[] = [
  practiceBooks,
  practiceBooks,
  practiceChanges,
  practiceChanges,
  practiceChanges,
  receptionActs,
  receptionActs,
  receptionActs,
  bothAtOnce,
  bothAtOnce,
  eventsArrive,
  networkFails,
  catchesUp,
];

/** Everyone stops, and what is on the way arrives. What the practice has made of it is sent as well. */
async function settle({ program, proxy }: Practice): Promise<void> {
  proxy.calmDown();
  await program.push();
  await program.catchUp();
  await program.push();
}

async function expectEqualBooks({ program, reception }: Practice): Promise<void> {
  const { book, wishes, forTheDesk } = await program.report();
  const calendar = appointmentsIn(await reception.get('/v1/appointments'));
  expect(wishes).toBe(0);
  const sorted = (appointments: readonly Shown[]) => appointments.map(asLine).sort();
  expect(sorted(book as never)).toEqual(sorted(calendar));
  expect(calendar.length).toBeGreaterThan(OPERATIONS / 6);
  const isUnnumbered = ({ status, externalId }: Shown) => status === 'confirmed' && externalId === null;
  expect(calendar.filter(isUnnumbered)).toEqual([]);
  const unacknowledged = await reception.get('/v1/appointments', { acknowledged: 'false' });
  const isOwn = ({ source, version }: Shown) => source === 'sync_external' && version === 1;
  expect(appointmentsIn(unacknowledged).filter((appointment) => !isOwn(appointment))).toEqual([]);
  // Both sides wanted the same at times, and the desk was told.
  expect(forTheDesk.length).toBeGreaterThan(0);
}
