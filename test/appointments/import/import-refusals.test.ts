import { beforeEach, expect, test } from '@jest/globals';
import { createApiClient, type ApiClient } from '../../support/api-client.ts';
import { suiteApi } from '../../support/servers/api-server.ts';
import { aClinic, inHours, type TestClinic } from '../../support/clinic.ts';
import { createImporter, IMPORT_PATH, type Importer, type Item } from './imported-visits.ts';

let clinic: TestClinic;
let client: ApiClient;
let importer: Importer;

const api = await suiteApi();
beforeEach(async () => {
  clinic = await aClinic(api.database);
  client = createApiClient(api.url, await api.keyOf({ tenantId: clinic.tenantId }));
  importer = createImporter(client, clinic);
});

test.each<[string, Item, string, string]>([
  ['without a name', { patientName: undefined }, 'validation_failed', 'patientName'],
  ['with a phone that is none', { patientPhone: '912345678' }, 'validation_failed', 'patientPhone'],
  ['with a field that no one knows', { unheardOf: 1 }, 'validation_failed', 'unheardOf'],
  ['with a name that cannot be stored', { patientName: 'a\0b' }, 'validation_failed', 'patientName'],
  ['with neither service nor end', { serviceTypeId: undefined }, 'validation_failed', 'serviceTypeId'],
  [
    'of no one',
    { professionalId: '00000000-0000-0000-0000-000000000000' },
    'validation_failed',
    'professionalId',
  ],
  [
    'for nothing',
    { serviceTypeId: '00000000-0000-0000-0000-000000000000' },
    'validation_failed',
    'serviceTypeId',
  ],
  ['that lasts for days', { endsAt: inHours(-1).toISOString() }, 'validation_failed', 'endsAt'],
  ['that ends before it begins', { endsAt: '2000-01-01T00:00:00Z' }, 'validation_failed', 'endsAt'],
  [
    'that was attended and lies ahead',
    { startsAt: inHours(30).toISOString() },
    'validation_failed',
    'status',
  ],
  [
    'that was missed and lies ahead',
    { startsAt: inHours(30).toISOString(), status: 'no_show' },
    'validation_failed',
    'status',
  ],
  ['in the past and confirmed', { status: 'confirmed' }, 'validation_failed', 'status'],
  ['in the past without a status', { status: undefined }, 'validation_failed', 'status'],
  ['that was moved', { status: 'rescheduled' }, 'validation_failed', 'status'],
  [
    'with a check-in that is to come',
    { checkedInAt: inHours(3).toISOString() },
    'validation_failed',
    'checkedInAt',
  ],
  [
    'with a check-in and no visit',
    { status: 'no_show', checkedInAt: inHours(-3).toISOString() },
    'validation_failed',
    'checkedInAt',
  ],
  ['with a reason and no cancellation', { reason: 'auto' }, 'validation_failed', 'reason'],
  ['of another source', { source: 'voice_ai' }, 'validation_failed', 'source'],
])('an item %s is refused by its field, and the others are taken', async (_what, wrong, error, field) => {
  const items = [importer.aVisit('b-1'), importer.aVisit('b-2', wrong), importer.aVisit('b-3')];
  const [one, two, three] = await importer.bringIn(items);
  expect([one?.result, three?.result]).toEqual(['created', 'created']);
  expect(two).toMatchObject({ externalId: 'b-2', result: 'refused', error });
  expect(two?.errors?.map((each) => each.path)).toEqual([`body.items.1.${field}`]);
  expect(await importer.theOne('b-2')).toEqual([]);
});

test('the second of two items of one id is refused, whatever the first is', async () => {
  const items = [
    importer.aVisit('b-1'),
    importer.aVisit('b-1'),
    importer.aVisit('b-2', { patientName: '' }),
    importer.aVisit('b-2'),
  ];
  const results = await importer.bringIn(items);
  expect(results.map(({ result }) => result)).toEqual(['created', 'refused', 'refused', 'refused']);
  expect(results[1]?.errors).toEqual([
    { path: 'body.items.1.externalId', message: 'is already used in this request, at body.items.0' },
  ]);
  expect((await importer.bringIn(items))[0]?.result).toBe('unchanged');
});

test('what is no visit at all is refused in its place', async () => {
  const results = await importer.bringIn([importer.aVisit('b-1'), 'visit', null, { externalId: 7 }]);
  expect(results.map(({ externalId, result }) => [externalId, result])).toEqual([
    ['b-1', 'created'],
    [null, 'refused'],
    [null, 'refused'],
    [null, 'refused'],
  ]);
});

test('of two for one slot ahead the earlier is taken, and a repeat says the same', async () => {
  const ahead = { startsAt: inHours(200).toISOString(), status: 'confirmed' };
  const items = [importer.aVisit('b-1', ahead), importer.aVisit('b-2', ahead)];
  expect(await importer.bringIn(items)).toMatchObject([
    { result: 'created' },
    { result: 'refused', error: 'slot_conflict', errors: [{ path: 'body.items.1.startsAt' }] },
  ]);
  expect(await importer.resultsOf(items)).toEqual(['unchanged', 'slot_conflict']);
});

test('501 items, none, and what is no list are refused whole', async () => {
  const many = Array.from({ length: 501 }, (_, nr) => importer.aVisit(`m-${nr}`));
  for (const items of [many, [], 'visits', undefined]) {
    const answer = await client.post(IMPORT_PATH, { items });
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ path: 'body.items' }] } });
  }
  expect(await importer.theOne('m-0')).toEqual([]);
});

test('more than 4 MiB is too much, and 500 items with all they may have are not', async () => {
  const bulky = { metadata: { note: 'x'.repeat(7000) }, patientNotes: 'y'.repeat(900) };
  const items = Array.from({ length: 500 }, (_, nr) =>
    importer.aVisit(`m-${nr}`, { ...bulky, startsAt: new Date(Date.UTC(2001, 0, 1, nr)).toISOString() }),
  );
  expect(new Set(await importer.resultsOf(items))).toEqual(new Set(['created']));
  const tooMuch = items.map((item) => ({ ...item, metadata: { note: 'x'.repeat(9000) } }));
  const answer = await client.post(IMPORT_PATH, { items: tooMuch });
  expect([answer.status, answer.body['error']]).toEqual([413, 'payload_too_large']);
  expect(new Set(await importer.resultsOf(items))).toEqual(new Set(['unchanged']));
});

test('a body that breaks off leaves nothing', async () => {
  const whole = JSON.stringify({ items: [importer.aVisit('c-1'), importer.aVisit('c-2')] });
  const answer = await client.send('POST', IMPORT_PATH, { rawBody: whole.slice(0, -40) });
  expect([answer.status, answer.body['error']]).toEqual([400, 'malformed_json']);
  expect(await importer.theOne('c-1')).toEqual([]);
});

test('a key without appointments:source brings nothing in, and another clinic’s professionals are not known', async () => {
  const { tenantId } = clinic;
  const scopes = ['appointments:write', 'appointments:read'] as const;
  const writer = createApiClient(api.url, await api.keyOf({ tenantId, scopes }));
  const refused = await writer.post(IMPORT_PATH, { items: [importer.aVisit('s-1')] });
  expect(refused).toMatchObject({ status: 403, body: { requiredScopes: ['appointments:source'] } });
  const [foreign] = await importer.bringIn([
    importer.aVisit('s-1', { professionalId: api.clinic.professionalIds[0] }),
  ]);
  expect(foreign).toMatchObject({
    error: 'validation_failed',
    errors: [{ path: 'body.items.0.professionalId' }],
  });
});
