import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { allPages } from '../../dashboard/app.ts';
import { ApiKeyEntity } from '../../db/entities/api-key.entity.ts';
import { CallEntity } from '../../db/entities/calls/call.entity.ts';
import { anEndpoint, aKey, book } from '../support/clinic.ts';
import { suiteDashboard } from '../support/pages/dashboard-server.ts';
import { formOf, type Visitor } from '../support/pages/visitor.ts';
import { everythingStored } from '../patients/everything-stored.ts';
import { anEventFor } from '../webhooks/recorded-attempts.ts';

const NOBODYS_ID = '0195571c-5a60-7a3e-9f00-000000000000';
const CALL = '0195571c-5a60-7a3e-9f00-2f5d1c9b7a22';

const dashboard = await suiteDashboard();
const { database, clinic } = dashboard;
const { tenantId } = clinic;
const [owner, support] = [await dashboard.person('ana'), await dashboard.person('sofia')];
const { id: appointment } = await book(database, clinic);
const endpointId = await anEndpoint(database, tenantId);
const { id: delivery } = await anEventFor(database, { tenantId, endpointId });
await aKey(database, tenantId);
const { id: key } = await database.em().findOneOrFail(ApiKeyEntity, { tenantId });
const numbers = { fromNumberSealed: 'x', toNumberSealed: 'x', fromNumberHash: 'x', toNumberHash: 'x' };
const times = { startedAt: new Date(), endedAt: null, outcome: null, status: 'in_progress' as const };
const notReturned = { calledBackAt: null, calledBackBy: null };
const rest = { telephonyCallControlId: null, transcriptionWordCount: null, ...notReturned };
await database.em().insert(CallEntity, { id: CALL, tenantId, ...numbers, ...times, ...rest });
/** Something that is there, by how the paths begin that name it. */
const there: Record<string, string> = {
  '/appointments': appointment,
  '/support/appointments': appointment,
  '/calls': CALL,
  '/integrations/endpoints': endpointId,
  '/integrations/deliveries': delivery,
  '/support/deliveries': delivery,
  '/support/clinics': tenantId,
  '/integrations/keys': key,
  '/settings/professionals': clinic.professionalIds[0] ?? '',
  '/settings/services': clinic.serviceTypeId,
};

/** What no person types, and a program may send. */
const WRONG = ['a\0b', '\0', '9999-12-31', '0000-00-00', '-271821-04-20T00:00', '+275760-09-13', '-1'].concat(
  ['99999999999999999999', NOBODYS_ID, '{"a":1}', '\u{1F600}'.repeat(2000)],
);

/** What the pages read of an address. */
const PARAMETERS = [
  'again',
  'asked',
  'at',
  'by',
  'call',
  'cursor',
  'day',
  'done',
  'error',
  'examined',
  'from',
  'keyId',
  'outcome',
  'professional',
].concat(
  ['chosen', 'delivery', 'q', 'resent', 'retried', 'saved', 'sent', 'service', 'theirs', 'to', 'todo'],
  ['booked', 'confirmed', 'first', 'in', 'undone', 'view', 'who'],
  ['appointmentId', 'endpointId', 'errorClass', 'eventType', 'since', 'status', 'until'],
  ['clinic', 'endpoint', 'event', 'appointment'],
);

const cursor = (list: string, place: unknown) =>
  Buffer.from(JSON.stringify({ list, place })).toString('base64url');

/** Cursors that someone has taken apart. */
const FORGED = [1e300, -1e15, 2 ** 40].flatMap((place) => [
  cursor('transcript', place),
  ...['calls', 'day'].map((list) => cursor(list, [place, NOBODYS_ID])),
]);

/** Every page that can be looked at, and who may. */
function pages(): { visitor: Visitor; address: string }[] {
  const looks = allPages(dashboard.dependencies).filter(({ method }) => method === 'GET');
  return looks.map(({ path }) => ({
    visitor: path.startsWith('/support') ? support : owner,
    address: path.replaceAll(/:\w+/g, there[path.slice(0, path.indexOf('/:'))] ?? NOBODYS_ID),
  }));
}

test('whatever stands in an address, no page breaks', async () => {
  const broken: string[] = [];
  for (const { visitor, address } of pages()) {
    /** Whether the page was shown, and not another one. */
    const look = async (names: readonly string[], value: string) => {
      const query = new URLSearchParams(names.map((name): [string, string] => [name, value])).toString();
      const { status, url } = await visitor.get(`${address}?${query}`);
      if (status >= 500) broken.push(`${address}?${query.slice(0, 80)}`);
      return status === 200 && url.pathname === address;
    };
    for (const value of WRONG) {
      if (await look(PARAMETERS, value)) continue;
      // One that is refused may hide what another one breaks.
      for (const name of ['q', 'since', 'day']) await look([name], value);
    }
    for (const value of FORGED) await look(['cursor'], value);
  }
  expect(broken).toEqual([]);
});

/** Each form of the page with one field in turn that is wrong, except forms that are already `known`. */
function wronglyFilledIn(
  text: string,
  values: readonly string[],
  known: Set<string>,
): { action: string; fields: Record<string, string> }[] {
  const actions = [...text.matchAll(/<form\s+method="post"\s+action="([^"]*)"/g)].map(
    ([, action = '']) => action,
  );
  return [...new Set(actions)].flatMap((action) => {
    const names = Object.keys(formOf(text, action));
    const form = [action, ...names].join(' ');
    if (known.has(form) || action.startsWith('/sign-out')) return [];
    known.add(form);
    return names.flatMap((name) =>
      values.map((value) => ({ action, fields: formOf(text, action, { [name]: value }) })),
    );
  });
}

test('whatever is typed into a form, no page breaks, and what turns text round is stored nowhere', async () => {
  const values = ['a\0b', '99999999999999999999', '\u{1F600}'.repeat(2000), 'José \u202etxt'];
  const broken = new Set<string>();
  const known = new Set<string>();
  for (const { visitor, address } of pages()) {
    const { text, url } = await visitor.get(address);
    for (const { action, fields } of wronglyFilledIn(text, values, known)) {
      const { pathname } = new URL(action, url);
      const { status } = await visitor.post(pathname, fields);
      if (status >= 500) broken.add(`${action}: ${JSON.stringify(fields).slice(0, 300)}`);
    }
  }
  expect([...broken]).toEqual([]);
  expect(known.size).toBeGreaterThan(30);
  const empty = await mkdtemp(join(tmpdir(), 'recordings-'));
  const stored = await everythingStored(dashboard.database, empty);
  expect(stored.split('\n').filter((row) => row.includes('\u202e'))).toEqual([]);
});

test('whatever stands in the path of a page that is open to all, it is found or not', async () => {
  const stranger = dashboard.stranger();
  const open = [
    '/book/X',
    '/book/X/details',
    '/book/a/X',
    '/book/a/X/visit.ics',
    '/portal/X',
    '/kept-forms/X',
  ];
  const broken: string[] = [];
  for (const address of open) {
    for (const value of ['%00', 'a%00b', '%ff', '%ED%A0%80', '..%2F', '%F0%9F%98%80'.repeat(500)]) {
      const { status } = await stranger.get(address.replace('X', value));
      if (status >= 500) broken.push(address.replace('X', value));
    }
  }
  expect(broken).toEqual([]);
});

test('a visitor without a session breaks nothing by a form either', async () => {
  const { status } = await dashboard.stranger().post('/appointments/new', { form_token: 'a\0b' });
  expect(status).toBe(401);
});
