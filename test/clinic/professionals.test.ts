import { beforeEach, describe, expect, test } from '@jest/globals';
import { AuditEventEntity } from '../../db/entities/audit-event.entity.ts';
import { createApiClient, wrongPathsIn, type ApiAnswer, type ApiClient } from '../support/api-client.ts';
import { suiteApi } from '../support/servers/api-server.ts';
import { aClinic, type TestClinic } from '../support/clinic.ts';
import { storedEvents } from '../support/stored/stored-events.ts';

let clinic: TestClinic;
let client: ApiClient;

const api = await suiteApi();
beforeEach(async () => {
  clinic = await aClinic(api.database, { config: { voice: 'sofia' } });
  client = createApiClient(api.url, await api.keyOf({ tenantId: clinic.tenantId }));
});

/** What is the same for both: a path, what a new one needs, and another value for one of its fields. */
const KINDS = [
  {
    path: '/v1/professionals',
    changedKey: 'professionals',
    created: 'professional.created',
    updated: 'professional.updated',
    least: { name: 'Marta Nunes', specialty: 'Endodontics' },
    unsaid: {
      title: null,
      bio: null,
      photoUrl: null,
      email: null,
      workingHours: null,
      specialHours: null,
      metadata: {},
      externalId: null,
      active: true,
    },
    change: {
      title: 'Dra.',
      workingHours: { mon: [['09:00', '13:00']] },
      metadata: { calendarColor: '#fff' },
    },
    missing: ['body.name', 'body.specialty'],
    rows: { table: 'professional', needed: 'specialty', value: `'x'`, bulky: 'bio' },
  },
  {
    path: '/v1/services',
    changedKey: 'services',
    created: 'service.created',
    updated: 'service.updated',
    least: { name: 'Whitening', durationMinutes: 60 },
    unsaid: {
      description: null,
      bufferMinutes: 0,
      priceEur: null,
      eligibleProfessionalIds: [],
      externalId: null,
      active: true,
    },
    change: { description: 'Both jaws', durationMinutes: 45, priceEur: '120.00' },
    missing: ['body.name', 'body.durationMinutes'],
    rows: { table: 'service_type', needed: 'duration_minutes', value: '30', bulky: 'description' },
  },
];

function put(path: string, externalId: string, body: unknown): Promise<ApiAnswer> {
  const request = { body };
  return client.send('PUT', `${path}/by-external-id/${encodeURIComponent(externalId)}`, request);
}

function itemsIn({ body }: ApiAnswer) {
  return body['items'] as { id: string; name: string; active: boolean }[];
}

/** The `changedKeys` of every event so far. */
async function announced(): Promise<string[][]> {
  const { tenantId } = clinic;
  const events = await storedEvents(api.database, { tenantId });
  return events.map(({ type, body }) => {
    const { data } = JSON.parse(body ?? '') as { data: { config: unknown; changedKeys: string[] } };
    expect([type, data.config]).toEqual([
      'tenant.config_updated',
      { timezone: 'Europe/Lisbon', voice: 'sofia' },
    ]);
    return data.changedKeys;
  });
}

async function audited() {
  const { tenantId } = clinic;
  const where = { tenantId, action: { $like: '%d' }, actor: { $like: 'key:%' } };
  const rows = await api.database.em().find(AuditEventEntity, where, { orderBy: { id: 'asc' } });
  return rows.map(({ action, details }) => [action, details]);
}

describe.each(KINDS)('$path', ({ path, changedKey, least, unsaid, change, missing, ...kind }) => {
  test('one is added with what is said, found again, and told to receivers and the audit', async () => {
    const made = await client.post(path, { ...least, externalId: 'own-1' });
    expect(made).toMatchObject({ status: 201, body: { ...unsaid, ...least, externalId: 'own-1' } });
    expect(made.headers.get('location')).toBe(`${path}/${String(made.body['id'])}`);
    expect((await client.get(`${path}/${String(made.body['id'])}`)).body).toEqual(made.body);
    expect(itemsIn(await client.get(path, { externalId: 'own-1' }))).toEqual([made.body]);
    expect(await announced()).toEqual([[changedKey]]);
    expect(await audited()).toEqual([[kind.created, {}]]);
  });

  test('a change leaves what it does not name, and one of nothing causes nothing', async () => {
    const made = await client.post(path, { ...least, active: false });
    const one = `${path}/${String(made.body['id'])}`;
    const changed = await client.patch(one, change);
    expect(changed).toMatchObject({ status: 200, body: { ...made.body, ...change } });
    for (const nothing of [{}, change]) {
      expect((await client.patch(one, nothing)).body).toEqual(changed.body);
    }
    expect(await announced()).toEqual([[changedKey], [changedKey]]);
    expect(await audited()).toEqual([
      [kind.created, {}],
      [kind.updated, { fields: Object.keys(change) }],
    ]);
  });

  test('a put adds one, then changes the same, and keeps what it leaves out', async () => {
    const made = await put(path, 'own 7/b', { ...least, ...change });
    expect(made).toMatchObject({ status: 201, body: { ...least, ...change, externalId: 'own 7/b' } });
    const renamed = await put(path, 'own 7/b', { name: 'Other', active: false });
    expect(renamed).toMatchObject({ status: 200, body: { ...made.body, name: 'Other', active: false } });
    expect((await put(path, 'own 7/b', {})).body).toEqual(renamed.body);
    expect(await announced()).toEqual([[changedKey], [changedKey]]);
  });

  test('a put of something new says what it lacks', async () => {
    const refused = await put(path, 'own-8', { active: true });
    expect([refused.status, refused.body['error'], wrongPathsIn(refused)]).toEqual([
      422,
      'validation_failed',
      missing,
    ]);
  });

  test('puts of the same that come at once add one', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => put(path, 'own-9', least)));
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 200, 200, 200, 200, 201]);
    expect(new Set(answers.map(({ body }) => body['id'])).size).toBe(1);
    expect(await announced()).toEqual([[changedKey]]);
  });

  test('an id of one’s own belongs to one', async () => {
    await client.post(path, { ...least, externalId: 'own-1' });
    const other = await client.post(path, least);
    for (const refused of [
      await client.post(path, { ...least, externalId: 'own-1' }),
      await client.patch(`${path}/${String(other.body['id'])}`, { externalId: 'own-1' }),
    ]) {
      expect([refused.status, refused.body['error'], wrongPathsIn(refused)]).toEqual([
        409,
        'external_id_conflict',
        ['body.externalId'],
      ]);
    }
    expect(await announced()).toHaveLength(2);
  });

  test('who is inactive is found by id, by external id and when asked for, and else not listed', async () => {
    const gone = await put(path, 'gone', { ...least, active: false });
    const id = String(gone.body['id']);
    const listed = async (query: Record<string, string>) =>
      itemsIn(await client.get(path, query)).some((item) => item.id === id);
    expect(await listed({})).toBe(false);
    expect(await listed({ include: 'inactive' })).toBe(true);
    expect(await listed({ externalId: 'gone' })).toBe(true);
    expect(await listed({ externalId: 'unheard-of' })).toBe(false);
    expect((await client.get(`${path}/${id}`)).body).toEqual(gone.body);
  });

  test('pages go by name, and end at 4 MiB', async () => {
    const { table, needed, value, bulky } = kind.rows;
    await api.database.write((em) =>
      em.execute(
        `INSERT INTO ${table} (id, tenant_id, name, ${needed}, ${bulky})
         SELECT gen_random_uuid(), ?, 'Z' || nr % 7, ${value}, repeat('€', 5000) FROM generate_series(1, 300) nr`,
        [clinic.tenantId],
      ),
    );
    const names: string[] = [];
    const sizes: number[] = [];
    let cursor: string | undefined;
    do {
      const page = await client.get(path, { ...(cursor && { cursor }) });
      sizes.push(page.text.length);
      names.push(...itemsIn(page).map(({ name }) => name));
      cursor = (page.body['nextCursor'] ?? undefined) as string | undefined;
    } while (cursor);
    expect(sizes.length).toBe(2);
    expect(names.filter((name) => name.startsWith('Z'))).toHaveLength(300);
    expect(names).toEqual([...names].sort());
  });

  test('a repeat under one Idempotency-Key adds one', async () => {
    const key = { 'idempotency-key': `once-${clinic.tenantId}` };
    const [first, again] = [await client.post(path, least, key), await client.post(path, least, key)];
    expect([again.text, again.headers.get('idempotency-replayed')]).toEqual([first.text, 'true']);
    expect(await announced()).toHaveLength(1);
  });

  test('no one adds or changes without the scope, or reaches another clinic’s', async () => {
    const reader = createApiClient(
      api.url,
      await api.keyOf({ tenantId: clinic.tenantId, scopes: ['professionals:read', 'services:read'] }),
    );
    const made = await client.post(path, { ...least, externalId: 'own-1' });
    const one = `${path}/${String(made.body['id'])}`;
    for (const answer of [await reader.post(path, least), await reader.patch(one, change)]) {
      expect(answer).toMatchObject({ status: 403, body: { requiredScopes: [`${changedKey}:write`] } });
    }
    expect((await reader.get(one)).body).toEqual(made.body);
    expect((await api.client.get(one)).status).toBe(404);
    expect((await api.client.patch(one, change)).status).toBe(404);
    expect(itemsIn(await api.client.get(path, { externalId: 'own-1' }))).toEqual([]);
  });
});

describe('a professional’s fields', () => {
  test.each([
    [{ photoUrl: 'javascript:alert(1)' }, 'body.photoUrl'],
    [{ email: 'nobody' }, 'body.email'],
    [{ name: '   ' }, 'body.name'],
    [{ workingHours: { mon: [['13:00', '09:00']] } }, 'body.workingHours.mon.0'],
    [{ specialHours: { '2026-02-30': [] } }, 'body.specialHours.2026-02-30'],
    [{ metadata: { note: 'x'.repeat(16 * 1024) } }, 'body.metadata'],
  ])('cannot be %j', async (wrong, field) => {
    const body = { name: 'Marta', specialty: 'Endodontics', ...wrong };
    const answer = await client.post('/v1/professionals', body);
    expect([answer.status, wrongPathsIn(answer)]).toEqual([422, [field]]);
    expect(await announced()).toEqual([]);
  });
});

describe('a service’s fields', () => {
  test('a price is kept with two decimals', async () => {
    const made = await client.post('/v1/services', { name: 'A', durationMinutes: 30, priceEur: '60.5' });
    expect(made.body).toMatchObject({ priceEur: '60.50' });
  });

  test('who offers it is replaced whole, and the same in another order is no change', async () => {
    const add = async (name: string) =>
      String((await client.post('/v1/professionals', { name, specialty: 'x' })).body['id']);
    const ids = [await add('A'), await add('B')];
    const path = `/v1/services/${clinic.serviceTypeId}`;
    const before = (await announced()).length;
    const changed = await client.patch(path, { eligibleProfessionalIds: ids });
    expect(changed.body['eligibleProfessionalIds']).toEqual([...ids].sort());
    await client.patch(path, { eligibleProfessionalIds: ids.toReversed() });
    expect((await announced()).slice(before)).toEqual([['services']]);
  });

  test('another clinic’s professional cannot offer it', async () => {
    const { professionalIds: eligibleProfessionalIds } = api.clinic;
    const answer = await client.post('/v1/services', {
      name: 'A',
      durationMinutes: 30,
      eligibleProfessionalIds,
    });
    expect([answer.status, wrongPathsIn(answer)]).toEqual([
      422,
      eligibleProfessionalIds.map((_, at) => `body.eligibleProfessionalIds.${at}`),
    ]);
    expect(await announced()).toEqual([]);
  });
});
