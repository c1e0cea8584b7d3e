import { beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { appointmentIn, createApiClient, type ApiClient } from '../../support/api-client.ts';
import { startApiProcess } from '../../support/servers/api-process.ts';
import { suiteApi } from '../../support/servers/api-server.ts';
import { aClinic, bookingBody, inHours, type TestClinic } from '../../support/clinic.ts';
import { createImporter, IMPORT_PATH, type Importer } from './imported-visits.ts';
import { lockWaits } from '../../support/lock-waits.ts';
import { TEST_ENCRYPTION_KEY } from '../../support/sealing.ts';
import { storedEvents } from '../../support/stored/stored-events.ts';
import { until } from '../../support/until.ts';

let clinic: TestClinic;
let client: ApiClient;
let importer: Importer;

const api = await suiteApi();
beforeEach(async () => {
  clinic = await aClinic(api.database, { professionals: 2, service: { bufferMinutes: 10 } });
  client = createApiClient(api.url, await api.keyOf({ tenantId: clinic.tenantId }));
  importer = createImporter(client, clinic);
});

/** The types of what receivers are told, in order. */
async function told(): Promise<{ type: string; status: unknown }[]> {
  const { tenantId } = clinic;
  const events = await storedEvents(api.database, { tenantId });
  return events.map(({ type, body }) => {
    const { data } = JSON.parse(body ?? '') as { data: { appointment?: { status: string } } };
    return { type, status: data.appointment?.status };
  });
}

/** The appointments for which a timer is asked. */
async function timers(): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT message ->> 'appointmentId' AS id
    FROM outbox
    WHERE message ->> 'kind' = 'startNoShow' AND message ->> 'clinicId' = ${clinic.tenantId}
  `.execute(api.database.em().getKysely());
  return rows.map(({ id }) => id);
}

describe('visits of the past', () => {
  test('come in as they were, quietly, and a repeat changes nothing', async () => {
    const items = [
      importer.aVisit('v-1', {
        checkedInAt: inHours(-300).toISOString(),
        patientNotes: 'Allergic to latex',
        metadata: { room: 2 },
      }),
      importer.aVisit('v-2', { status: 'no_show', patientExternalId: 'p-7' }),
      importer.aVisit('v-3', { status: 'cancelled', reason: 'patient_requested' }),
      importer.aVisit('v-4', { serviceTypeId: undefined, endsAt: undefined }),
    ];
    const start = Date.parse(String(items[3]?.['startsAt']));
    items[3] = { ...items[3], endsAt: new Date(start + 77 * 60_000).toISOString() };
    const first = await importer.bringIn(items);
    expect(first.map(({ externalId, result }) => [externalId, result])).toEqual(
      ['v-1', 'v-2', 'v-3', 'v-4'].map((externalId) => [externalId, 'created']),
    );
    const [one, two, three, four] = await Promise.all(
      first.map(async ({ id }) => appointmentIn(await client.get(`/v1/appointments/${id}`))),
    );
    expect(one).toMatchObject({
      status: 'attended',
      source: 'sync_external',
      checkedInAt: items[0]?.['checkedInAt'],
      patientNotes: 'Allergic to latex',
      metadata: { room: 2 },
      version: 1,
    });
    expect(two).toMatchObject({ status: 'no_show', patientExternalId: 'p-7', checkedInAt: null });
    expect(three).toMatchObject({ status: 'cancelled', cancellationReason: 'patient_requested' });
    expect(four).toMatchObject({ serviceTypeId: null, endsAt: items[3]?.['endsAt'], checkedInAt: null });
    const again = await importer.bringIn(items);
    expect(again).toEqual(first.map(({ externalId, id }) => ({ externalId, result: 'unchanged', id })));
    expect(await told()).toEqual([]);
    expect(await timers()).toEqual([]);
    const timeline = await client.get(`/v1/appointments/${first[0]?.id}/timeline`);
    expect(timeline.body['items']).toMatchObject([
      { kind: 'created', changes: { status: 'attended' }, eventId: null },
    ]);
  });

  test('may have been with someone who has left, for what is offered no longer', async () => {
    const [gone = ''] = clinic.professionalIds;
    await client.patch(`/v1/professionals/${gone}`, { active: false });
    await client.patch(`/v1/services/${clinic.serviceTypeId}`, { active: false });
    const ahead = { status: 'confirmed', startsAt: inHours(50).toISOString() };
    const items = [
      importer.aVisit('v-1'),
      importer.aVisit('v-2', ahead),
      importer.aVisit('v-3', { ...ahead, professionalId: clinic.professionalIds[1] }),
    ];
    expect(await importer.resultsOf(items)).toEqual([
      'created',
      'professional_inactive',
      'service_not_offered',
    ]);
  });

  test('that are made anything but what they were change in place, with a version and a line in the timeline', async () => {
    const visit = importer.aVisit('v-1', { patientNotes: 'old' });
    const id = await importer.idOf(visit);
    const before = appointmentIn(await client.get(`/v1/appointments/${id}`));
    const corrected = {
      ...visit,
      patientName: 'Ana M. Martins',
      patientPhone: '+351913333333',
      patientExternalId: 'p-9',
      endsAt: new Date(Date.parse(before.endsAt) - 600_000).toISOString(),
      patientNotes: undefined,
      status: 'cancelled',
    };
    expect(await importer.bringIn([corrected])).toEqual([{ externalId: 'v-1', result: 'updated', id }]);
    const after = appointmentIn(await client.get(`/v1/appointments/${id}`));
    expect(after).toMatchObject({
      patientName: 'Ana M. Martins',
      patientExternalId: 'p-9',
      endsAt: corrected.endsAt,
      patientNotes: 'old',
      status: 'cancelled',
      cancellationReason: 'clinic_cancelled',
      version: 2,
    });
    expect(after.patientPhoneHash).not.toBe(before.patientPhoneHash);
    expect(Date.parse(after.updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt));
    expect(await importer.resultsOf([corrected])).toEqual(['unchanged']);
    expect(await told()).toEqual([]);
  });

  test('that are moved get another id, and stay what they were', async () => {
    const visit = importer.aVisit('v-1', { checkedInAt: inHours(-400).toISOString() });
    const [first] = await importer.bringIn([visit]);
    const moved = {
      ...visit,
      startsAt: inHours(-1000).toISOString(),
      professionalId: clinic.professionalIds[1],
    };
    const [second] = await importer.bringIn([moved]);
    expect(second).toMatchObject({ result: 'updated' });
    expect(second?.id).not.toBe(first?.id);
    expect(await importer.theOne('v-1')).toMatchObject([
      {
        id: second?.id,
        startsAt: moved.startsAt,
        status: 'attended',
        checkedInAt: visit['checkedInAt'],
        rescheduledFromId: first?.id,
      },
    ]);
    expect(await importer.bringIn([moved])).toEqual([
      { externalId: 'v-1', result: 'unchanged', id: second?.id },
    ]);
    expect(await told()).toEqual([]);
  });
});

describe('appointments ahead', () => {
  test('come in confirmed with a timer, hold their slot, and go through the states like any others', async () => {
    const items = [importer.aVisit('a-1', { startsAt: inHours(60).toISOString(), status: undefined })];
    const id = await importer.idOf(items[0] ?? {});
    expect(await timers()).toEqual([id]);
    const taken = await client.post(
      '/v1/appointments',
      bookingBody(clinic, inHours(60), { patientName: 'Rui Costa' }),
    );
    expect([taken.status, taken.body['error']]).toEqual([409, 'slot_conflict']);
    await client.patch(`/v1/appointments/${id}`, { status: 'attended' });
    expect(await importer.resultsOf(items)).toEqual(['unchanged']);
    const insisted = await importer.bringIn([{ ...items[0], status: 'confirmed' }]);
    expect(insisted).toMatchObject([
      { result: 'refused', error: 'invalid_status_transition', errors: [{ path: 'body.items.0.status' }] },
    ]);
  });

  test('that were checked in before their time are left alone, and corrected, by who says the same', async () => {
    const item = importer.aVisit('a-1', { startsAt: inHours(2).toISOString(), status: 'confirmed' });
    const id = await importer.idOf(item);
    await client.patch(`/v1/appointments/${id}`, { status: 'attended' });
    const said = { ...item, status: 'attended' };
    expect(await importer.resultsOf([said])).toEqual(['unchanged']);
    expect(await importer.resultsOf([{ ...said, patientName: 'Ana M. Martins' }])).toEqual(['updated']);
    const withOther = { ...said, professionalId: clinic.professionalIds[1] };
    expect(await importer.resultsOf([withOther])).toEqual(['updated']);
    const later = { ...withOther, startsAt: inHours(3).toISOString() };
    expect(await importer.resultsOf([later])).toEqual(['validation_failed']);
  });

  test('that were moved or freed make room for others of the same request', async () => {
    const [from, to] = [inHours(70).toISOString(), inHours(71).toISOString()];
    const ahead = { status: 'confirmed', startsAt: from };
    await importer.bringIn([
      importer.aVisit('a-1', ahead),
      importer.aVisit('a-2', { ...ahead, startsAt: inHours(72).toISOString() }),
    ]);
    const items = [
      importer.aVisit('a-3', ahead),
      importer.aVisit('a-4', { ...ahead, startsAt: inHours(72).toISOString() }),
      importer.aVisit('a-1', { ...ahead, startsAt: to }),
      importer.aVisit('a-2', { ...ahead, startsAt: inHours(72).toISOString(), status: 'cancelled' }),
    ];
    expect(await importer.resultsOf(items)).toEqual(['created', 'created', 'updated', 'updated']);
    expect(await importer.resultsOf(items)).toEqual(['unchanged', 'unchanged', 'unchanged', 'unchanged']);
  });

  test('grow only into time that is free', async () => {
    const until = (hour: number, minutes: number) =>
      new Date(inHours(hour).getTime() + minutes * 60_000).toISOString();
    const items = (minutes: number) => [
      importer.aVisit('a-1', {
        status: 'confirmed',
        startsAt: inHours(80).toISOString(),
        endsAt: until(80, minutes),
      }),
      importer.aVisit('a-2', { status: 'confirmed', startsAt: inHours(81).toISOString() }),
    ];
    expect(await importer.resultsOf(items(20))).toEqual(['created', 'created']);
    expect(await importer.resultsOf(items(50))).toEqual(['updated', 'unchanged']);
    const refused = await importer.bringIn(items(51));
    expect(refused).toMatchObject([
      { result: 'refused', error: 'slot_conflict', errors: [{ path: 'body.items.0.startsAt' }] },
      { result: 'unchanged' },
    ]);
    expect(await importer.theOne('a-1')).toMatchObject([{ endsAt: until(80, 50) }]);
  });

  test('that were attended may have lasted longer, even while the next was there', async () => {
    const [from, to] = [inHours(-500), inHours(-499)].map((at) => at.toISOString());
    const items = (until: string) => [
      importer.aVisit('a-1', { startsAt: from, endsAt: until }),
      importer.aVisit('a-2', { startsAt: to }),
    ];
    const until = (minutes: number) => new Date(inHours(-500).getTime() + minutes * 60_000).toISOString();
    expect(await importer.resultsOf(items(until(20)))).toEqual(['created', 'created']);
    expect(await importer.resultsOf(items(until(50)))).toEqual(['updated', 'unchanged']);
    expect(await importer.theOne('a-1')).toMatchObject([
      { status: 'attended', endsAt: until(50), version: 2 },
    ]);
    expect(await importer.resultsOf(items(until(50)))).toEqual(['unchanged', 'unchanged']);
    expect(await importer.resultsOf(items(until(51)))).toEqual(['updated', 'unchanged']);
  });

  test('that are checked in and last longer are one change with one event', async () => {
    const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
    const item = importer.aVisit('a-1', { startsAt: at(-10), endsAt: at(20), status: 'confirmed' });
    await importer.bringIn([item]);
    const longer = { ...item, endsAt: at(40), status: 'attended' };
    expect(await importer.resultsOf([longer], { events: true })).toEqual(['updated']);
    expect(await importer.theOne('a-1')).toMatchObject([
      { endsAt: longer.endsAt, status: 'attended', version: 2 },
    ]);
    expect((await told()).map(({ type }) => type)).toEqual(['appointment.attended']);
  });

  test('can get an inactive service only when they are in the past', async () => {
    const { serviceTypeId } = clinic;
    const lasting = { serviceTypeId: undefined, endsAt: inHours(61).toISOString() };
    const ahead = importer.aVisit('a-1', {
      ...lasting,
      startsAt: inHours(60).toISOString(),
      status: 'confirmed',
    });
    const over = importer.aVisit('a-2', {
      startsAt: inHours(-60).toISOString(),
      endsAt: inHours(-59).toISOString(),
      serviceTypeId: undefined,
    });
    await importer.bringIn([ahead, over]);
    await client.patch(`/v1/services/${serviceTypeId}`, { active: false });
    const named = [ahead, over].map((item) => ({ ...item, serviceTypeId }));
    expect(await importer.resultsOf(named)).toEqual(['service_not_offered', 'updated']);
    expect(await importer.theOne('a-2')).toMatchObject([{ serviceTypeId, endsAt: over['endsAt'] }]);
  });

  test('one that was cancelled here is not restored', async () => {
    const item = importer.aVisit('a-1', { status: undefined, startsAt: inHours(90).toISOString() });
    const id = await importer.idOf(item);
    await client.patch(`/v1/appointments/${id}`, { status: 'cancelled' });
    expect(await importer.resultsOf([item])).toEqual(['unchanged']);
    expect(await importer.resultsOf([{ ...item, status: 'confirmed' }])).toEqual([
      'invalid_status_transition',
    ]);
    expect(await importer.theOne('a-1')).toMatchObject([{ id, status: 'cancelled' }]);
  });
});

describe('receivers', () => {
  test('get an event for each on request, and for the no-show of a past appointment', async () => {
    const items = [
      importer.aVisit('e-1'),
      importer.aVisit('e-2', { status: undefined }),
      importer.aVisit('e-3', { status: undefined, startsAt: inHours(100).toISOString() }),
    ];
    expect(await importer.resultsOf(items, { events: true })).toEqual(['created', 'created', 'created']);
    expect((await told()).toSorted((one, other) => one.type.localeCompare(other.type))).toEqual([
      { type: 'appointment.created', status: 'attended' },
      { type: 'appointment.created', status: 'no_show' },
      { type: 'appointment.created', status: 'confirmed' },
      { type: 'appointment.no_show', status: 'no_show' },
    ]);
    expect(await importer.theOne('e-2')).toMatchObject([{ status: 'no_show' }]);
    const before = (await told()).length;
    const changed = [
      { ...items[0], patientName: 'Other' },
      { ...items[2], status: 'cancelled' },
    ];
    await importer.bringIn(changed, { events: true });
    expect((await told()).slice(before).map(({ type }) => type)).toEqual([
      'appointment.updated',
      'appointment.cancelled',
    ]);
    await importer.bringIn([...changed, items[1]], { events: true });
    expect(await told()).toHaveLength(before + 2);
  });
});

test('the same import sent twice at once, and beside moves and bookings, makes each once and deadlocks with none', async () => {
  const items = Array.from({ length: 60 }, (_, nr) =>
    importer.aVisit(`t-${nr}`, {
      professionalId: clinic.professionalIds[nr % 2],
      startsAt: inHours(200 + Math.floor(nr / 2)).toISOString(),
      status: 'confirmed',
    }),
  );
  const shifted = items.map((item) => ({
    ...item,
    startsAt: new Date(Date.parse(String(item['startsAt'])) + 3_600_000).toISOString(),
  }));
  const bookings = [...items]
    .reverse()
    .map(({ professionalId, startsAt }) =>
      client.post('/v1/appointments', bookingBody(clinic, new Date(String(startsAt)), { professionalId })),
    );
  const imports = [items, [...items].reverse(), shifted, items].map((each) =>
    client.post(IMPORT_PATH, { items: each }),
  );
  const answers = await Promise.all([...imports, ...bookings]);
  expect(answers.filter(({ status }) => ![200, 201, 409].includes(status))).toEqual([]);
  for (let nr = 0; nr < items.length; nr += 1) {
    expect((await importer.theOne(`t-${nr}`)).length).toBeLessThanOrEqual(1);
  }
});

// Through two processes: one makes the imports of a clinic one after the other.
test.each(['new', 'moved'])(
  'one that is repeated while it runs finds its %s visits unchanged',
  async (what) => {
    await using second = await startApiProcess(api.databaseUrl, {
      ENCRYPTION_KEY: TEST_ENCRYPTION_KEY.toString('base64'),
      PHONE_HASH_KEY: Buffer.alloc(32, 7).toString('base64'),
    });
    const key = await api.keyOf({ tenantId: clinic.tenantId });
    const throughSecond = createImporter(createApiClient(second.url, key), clinic);
    const [professionalId = ''] = clinic.professionalIds;
    const items = [importer.aVisit('r-1', { professionalId }), importer.aVisit('r-2', { professionalId })];
    if (what === 'moved') {
      await importer.bringIn(
        items.map((item) => ({ ...item, startsAt: inHours(-24 * 400).toISOString() })).slice(0, 1),
      );
    }
    const holds = Promise.withResolvers<void>();
    const letsGo = Promise.withResolvers<void>();
    const holder = api.database.write(async (em) => {
      await sql`SELECT FROM professional WHERE id = ${professionalId} FOR UPDATE`.execute(em.getKysely());
      holds.resolve();
      await letsGo.promise;
    });
    await holds.promise;
    const both = [importer.resultsOf(items), throughSecond.resultsOf(items)];
    await until('both to wait', async () => (await lockWaits(api.database.em())) === 2);
    letsGo.resolve();
    await holder;
    const results = await Promise.all(both);
    expect(results).toContainEqual(['unchanged', 'unchanged']);
    expect(results).toContainEqual([what === 'moved' ? 'updated' : 'created', 'created']);
  },
);

test('an import with an Idempotency-Key is answered once', async () => {
  const key = { 'idempotency-key': `import-${clinic.tenantId}` };
  const items = [importer.aVisit('i-1'), importer.aVisit('i-2', { patientName: '' })];
  const first = await client.post(IMPORT_PATH, { items }, key);
  const again = await client.post(IMPORT_PATH, { items }, key);
  expect([again.text, again.headers.get('idempotency-replayed')]).toEqual([first.text, 'true']);
});
