import { beforeEach, describe, expect, test } from '@jest/globals';
import { AuditEventEntity } from '../../db/entities/audit-event.entity.ts';
import { createApiClient, wrongPathsIn, type ApiClient } from '../support/api-client.ts';
import { aClinic, book, type TestClinic } from '../support/clinic.ts';
import { suiteApi } from '../support/servers/api-server.ts';
import { storedEvents } from '../support/stored/stored-events.ts';

const NOW = new Date('2026-03-01T12:00:00Z');

let clinic: TestClinic;
let client: ApiClient;

const api = await suiteApi({ now: () => NOW });

beforeEach(async () => {
  const businessHours = { mon: [['09:00', '12:00']], tue: [['09:00', '12:00']] };
  clinic = await aClinic(api.database, { professionals: 2, config: { businessHours } });
  client = createApiClient(api.url, await api.keyOf({ tenantId: clinic.tenantId }));
});

const MONDAY = { startsAt: '2026-03-02T10:00:00Z', endsAt: '2026-03-02T11:00:00Z' };
const anaId = () => clinic.professionalIds[0] ?? '';
const lunch = (changes: Record<string, unknown> = {}) => ({ professionalId: anaId(), ...MONDAY, ...changes });

function put(externalId: string, body: Record<string, unknown>) {
  return client.send('PUT', `/v1/busy-blocks/${encodeURIComponent(externalId)}`, { body });
}

async function announcements(): Promise<unknown[]> {
  const events = await storedEvents(api.database, { tenantId: clinic.tenantId });
  return events.map(({ type, body }) => [type, JSON.parse(body ?? '').data.changedKeys]);
}

/** Of a professional on that Monday. */
async function starts(professionalId = anaId()): Promise<string[]> {
  const day = { from: '2026-03-02T00:00:00Z', to: '2026-03-03T00:00:00Z' };
  const { serviceTypeId } = clinic;
  const { body } = await client.get('/v1/availability', { serviceTypeId, professionalId, ...day });
  return (body['items'] as { startsAt: string }[]).map(({ startsAt }) => startsAt.slice(11, 16));
}

describe('a block', () => {
  test('is made once, changed by its external id and taken away, and each change is told', async () => {
    const made = await put('almoço/2026 03', lunch({ title: 'Almoço' }));
    expect([made.status, made.body]).toEqual([
      201,
      {
        id: expect.any(String),
        externalId: 'almoço/2026 03',
        professionalId: anaId(),
        startsAt: '2026-03-02T10:00:00.000Z',
        endsAt: '2026-03-02T11:00:00.000Z',
        title: 'Almoço',
        createdAt: NOW.toISOString(),
        updatedAt: NOW.toISOString(),
        collidesWith: [],
      },
    ]);
    const again = await put(
      'almoço/2026 03',
      lunch({ title: 'Almoço', startsAt: '2026-03-02T11:00:00+01:00' }),
    );
    expect([again.status, again.body]).toEqual([200, made.body]);
    expect(await announcements()).toEqual([['tenant.config_updated', ['busyBlocks']]]);

    const changed = await put('almoço/2026 03', { professionalId: null, ...MONDAY });
    expect(changed).toMatchObject({ status: 200, body: { professionalId: null, title: null } });
    const { collidesWith: _collisions, ...shown } = changed.body;
    const path = `/v1/busy-blocks/${encodeURIComponent('almoço/2026 03')}`;
    expect((await client.get(path)).body).toEqual(shown);

    expect(await client.delete(path)).toMatchObject({ status: 204 });
    expect([(await client.get(path)).status, (await client.delete(path)).status]).toEqual([404, 404]);
    expect(await announcements()).toHaveLength(3);
    const audit = await api.database
      .em()
      .find(AuditEventEntity, { tenantId: clinic.tenantId, subjectId: String(shown['id']) });
    expect(audit.map(({ action }) => action).sort()).toEqual([
      'busy_block.created',
      'busy_block.deleted',
      'busy_block.updated',
    ]);
  });

  test('sent twenty times at once is made once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => put('lunch', lunch())));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => body['id'])).size).toBe(1);
    expect(await announcements()).toHaveLength(1);
  });

  test('names the appointments that lie in it, which stay', async () => {
    const at = (startsAt: string) =>
      book(api.database, clinic, { startsAt: new Date(startsAt), mayBackdate: true });
    const before = await at('2026-03-02T09:30:00Z');
    const [first, second] = [await at('2026-03-02T10:00:00Z'), await at('2026-03-02T10:45:00Z')];
    await at('2026-03-02T11:15:00Z');
    const ofAnother = await book(api.database, clinic, {
      professionalId: clinic.professionalIds[1] ?? '',
      startsAt: new Date('2026-03-02T10:30:00Z'),
      mayBackdate: true,
    });
    expect((await put('lunch', lunch())).body['collidesWith']).toEqual([first.id, second.id]);
    expect((await put('closed', lunch({ professionalId: null }))).body['collidesWith']).toEqual([
      first.id,
      ofAnother.id,
      second.id,
    ]);
    expect(
      (await put('early', lunch({ startsAt: '2026-03-02T09:59:59.999Z' }))).body['collidesWith'],
    ).toEqual([before.id, first.id, second.id]);
    await client.delete(`/v1/appointments/${first.id}`);
    expect((await put('lunch', lunch())).body['collidesWith']).toEqual([second.id]);
    expect((await client.get(`/v1/appointments/${second.id}`)).body['status']).toBe('confirmed');
  });

  test('may span both changes of the clocks and 366 days, to the millisecond', async () => {
    const year = { startsAt: '2026-03-28T00:00:00+00:00', endsAt: '2027-03-29T00:00:00Z' };
    expect(await put('sabbatical', lunch(year))).toMatchObject({ status: 201 });
    const longer = await put('sabbatical', lunch({ ...year, endsAt: '2027-03-29T00:00:00.001Z' }));
    expect([longer.status, wrongPathsIn(longer)]).toEqual([422, ['body.endsAt']]);
  });

  test.each<[Record<string, unknown>, string]>([
    [{ endsAt: '2026-03-02T10:00:00Z' }, 'body.endsAt'],
    [{ endsAt: '2026-03-02T09:00:00Z' }, 'body.endsAt'],
    [{ endsAt: '2036-03-02T09:00:00Z' }, 'body.endsAt'],
    [{ endsAt: '2026-03-02T11:00:00' }, 'body.endsAt'],
    [{ startsAt: '2026-02-30T10:00:00Z' }, 'body.startsAt'],
    [{ professionalId: undefined }, 'body.professionalId'],
    [{ professionalId: '00000000-0000-4000-8000-000000000000' }, 'body.professionalId'],
    [{ title: 'x'.repeat(201) }, 'body.title'],
    [{ collidesWith: [] }, 'body.collidesWith'],
  ])('cannot be %j', async (changes, path) => {
    const answer = await put('wrong', lunch(changes));
    expect([answer.status, wrongPathsIn(answer)]).toEqual([422, [path]]);
    expect((await client.get('/v1/busy-blocks/wrong')).status).toBe(404);
  });

  test('of one clinic is none of another, though both call it the same', async () => {
    await put('lunch', lunch({ title: 'ours' }));
    const other = await aClinic(api.database);
    const stranger = createApiClient(api.url, await api.keyOf({ tenantId: other.tenantId }));
    expect((await stranger.get('/v1/busy-blocks/lunch')).status).toBe(404);
    expect((await stranger.get('/v1/busy-blocks')).body['items']).toEqual([]);
    expect(await stranger.send('PUT', '/v1/busy-blocks/lunch', { body: lunch() })).toMatchObject({
      status: 422,
    });
    expect(
      await stranger.send('PUT', '/v1/busy-blocks/lunch', { body: lunch({ professionalId: null }) }),
    ).toMatchObject({
      status: 201,
    });
    expect((await client.get('/v1/busy-blocks/lunch')).body['title']).toBe('ours');
  });
});

test('blocks are listed by start, page by page, those that touch a time or keep one professional', async () => {
  const at = (hour: number) => `2026-03-02T${hour}:00:00Z`;
  const [ana, rui = ''] = [anaId(), clinic.professionalIds[1]];
  await put('c', { professionalId: null, startsAt: at(14), endsAt: at(16) });
  await put('a', { professionalId: ana, startsAt: at(10), endsAt: at(12) });
  await put('b', { professionalId: rui, startsAt: at(12), endsAt: at(13) });
  const list = async (query: Record<string, string>) => {
    const { body } = await client.get('/v1/busy-blocks', query);
    return (body['items'] as { externalId: string }[]).map(({ externalId }) => externalId).join('');
  };
  expect(await list({})).toBe('abc');
  expect(await list({ from: at(12) })).toBe('bc');
  expect(await list({ from: at(11), to: at(12) })).toBe('a');
  expect(await list({ professionalId: ana })).toBe('a');
  const first = (await client.get('/v1/busy-blocks', { limit: '2' })).body;
  expect(first).toMatchObject({ hasMore: true });
  expect(await list({ limit: '2', cursor: String(first['nextCursor']) })).toBe('c');
});

test('blocked time is not offered, of the professional and of the whole clinic', async () => {
  const all = ['09:00', '09:30', '10:00', '10:30', '11:00', '11:30'];
  expect(await starts()).toEqual(all);
  await put('lunch', lunch({ startsAt: '2026-03-02T10:10:00Z' }));
  expect(await starts()).toEqual(['09:00', '09:30', '11:00', '11:30']);
  expect(await starts(clinic.professionalIds[1])).toEqual(all);
  await put('closed', {
    professionalId: null,
    startsAt: '2026-02-01T00:00:00Z',
    endsAt: '2026-03-02T09:30:00Z',
  });
  expect(await starts()).toEqual(['09:30', '11:00', '11:30']);
  expect(await starts(clinic.professionalIds[1])).toEqual(all.slice(1));
  await client.delete('/v1/busy-blocks/lunch');
  expect(await starts()).toEqual(all.slice(1));
});

test('blocked time is no alternative to a taken slot', async () => {
  await put('rest', lunch({ startsAt: '2026-03-02T09:30:00Z', endsAt: '2026-03-02T12:00:00Z' }));
  await book(api.database, clinic, { startsAt: new Date('2026-03-02T09:00:00Z'), mayBackdate: true });
  const { body } = await client.post('/v1/appointments', {
    professionalId: anaId(),
    serviceTypeId: clinic.serviceTypeId,
    patientName: 'Rui Costa',
    patientPhone: '+351912345679',
    startsAt: '2026-03-02T09:00:00Z',
  });
  const days = (body['alternatives'] as { startsAt: string }[]).map(({ startsAt }) => startsAt.slice(0, 10));
  expect([body['error'], ...days]).toEqual(['slot_conflict', '2026-03-02', '2026-03-03', '2026-03-03']);
  const { professionalId } = (body['alternatives'] as { professionalId: string }[])[0] ?? {};
  expect(professionalId).toBe(clinic.professionalIds[1]);
});

/** A night of blocked time on the day of a change leaves out what the clocks show, in the zones of the clinics. */
test.each([
  [
    'Europe/Lisbon',
    '2026-03-29',
    '2026-03-29T00:30:00+00:00',
    '2026-03-29T02:30:00+01:00',
    ['00:00', '02:30'],
  ],
  [
    'Europe/Lisbon',
    '2026-10-25',
    '2026-10-25T00:30:00+01:00',
    '2026-10-25T02:30:00+00:00',
    ['00:00', '02:30'],
  ],
  [
    'Atlantic/Azores',
    '2026-03-29',
    '2026-03-28T23:30:00-01:00',
    '2026-03-29T02:00:00+00:00',
    ['02:00', '02:30'],
  ],
  [
    'Atlantic/Azores',
    '2026-10-25',
    '2026-10-25T00:30:00+00:00',
    '2026-10-25T02:30:00-01:00',
    ['00:00', '02:30'],
  ],
  [
    'Australia/Lord_Howe',
    '2026-10-04',
    '2026-10-04T01:30:00+10:30',
    '2026-10-04T02:45:00+11:00',
    ['00:00', '00:30', '01:00'],
  ],
  [
    'Australia/Lord_Howe',
    '2026-04-05',
    '2026-04-05T00:30:00+11:00',
    '2026-04-05T02:30:00+10:30',
    ['00:00', '02:30'],
  ],
])('in %s on %s a block from %s to %s leaves %j', async (timezone, date, startsAt, endsAt, expected) => {
  const config = { timezone, businessHours: null, specialHours: { [date]: [['00:00', '03:00']] } };
  await client.patch('/v1/tenants/me', { config });
  await put('night', { professionalId: null, startsAt, endsAt });
  const { body } = await client.get('/v1/availability', {
    serviceTypeId: clinic.serviceTypeId,
    professionalId: anaId(),
    from: startsAt,
    to: endsAt,
  });
  expect(body['items']).toEqual([]);
  const local = new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    timeStyle: 'short',
    dateStyle: 'short',
  });
  const around = await client.get('/v1/availability', {
    serviceTypeId: clinic.serviceTypeId,
    professionalId: anaId(),
    from: new Date(Date.parse(startsAt) - 6 * 3_600_000).toISOString(),
    to: new Date(Date.parse(endsAt) + 3_600_000).toISOString(),
  });
  const [, month, day] = date.split('-');
  const shown = (around.body['items'] as { startsAt: string }[])
    .map((slot) => local.format(new Date(slot.startsAt)).split(', '))
    .filter(([shownDay]) => shownDay === `${day}/${month}/2026`)
    .map(([, time]) => time);
  expect(shown).toEqual(expected);
});
