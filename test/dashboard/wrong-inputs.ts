import { allPages } from '../../dashboard/app.ts';
import { ApiKeyEntity } from '../../db/entities/api-key.entity.ts';
import { CallEntity } from '../../db/entities/calls/call.entity.ts';
import { anEndpoint, aKey, book } from '../support/clinic.ts';
import { suiteDashboard, type TestDashboard } from '../support/pages/dashboard-server.ts';
import { formOf, type Visitor } from '../support/pages/visitor.ts';
import { anEventFor } from '../webhooks/recorded-attempts.ts';

const NOBODYS_ID = '0195571c-5a60-7a3e-9f00-000000000000';
const CALL = '0195571c-5a60-7a3e-9f00-2f5d1c9b7a22';

/** What no person types, and a program may send. */
const WRONG = ['a\0b', '\0', '9999-12-31', '0000-00-00', '-271821-04-20T00:00', '+275760-09-13', '-1'].concat(
  ['99999999999999999999', NOBODYS_ID, '{"a":1}', '\u{1F600}'.repeat(1000)],
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
const FORGED = ['transcript', 'calls', 'day'].flatMap((list) =>
  [1e300, -1e15, 2 ** 40].map((place) => cursor(list, list === 'transcript' ? place : [place, NOBODYS_ID])),
);

/** A page, and someone who may look at it. */
interface Page {
  visitor: Visitor;
  address: string;
}

/** A dashboard that has something of everything, and each of its pages. */
export async function dashboardPages(): Promise<{ dashboard: TestDashboard; pages: Page[] }> {
  const dashboard = await suiteDashboard();
  const [owner, support] = [await dashboard.person('ana'), await dashboard.person('sofia')];
  const there = await somethingOfEach(dashboard);
  const looks = allPages(dashboard.dependencies).filter(({ method }) => method === 'GET');
  const pages = looks.map(({ path }) => ({
    visitor: path.startsWith('/support') ? support : owner,
    address: path.replaceAll(/:\w+/g, there[path.slice(0, path.indexOf('/:'))] ?? NOBODYS_ID),
  }));
  return { dashboard, pages };
}

/** Ids, by how the paths begin that name them. */
async function somethingOfEach({ database, clinic }: TestDashboard): Promise<Record<string, string>> {
  const { tenantId } = clinic;
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
  return {
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
}

/** One in so many of the values, beginning at random, so that each is tried in some run. */
function someOf<T>(values: readonly T[], oneIn: number): T[] {
  const first = Math.floor(Math.random() * oneIn);
  return values.filter((_, at) => at % oneIn === first);
}

/** The addresses that break a page. @param oneIn 1 tries every wrong value with every page */
export async function brokenByAddresses(pages: readonly Page[], oneIn: number): Promise<string[]> {
  const broken: string[] = [];
  for (const { visitor, address } of pages) {
    /** Whether the page was shown, and not another one. */
    const look = async (names: readonly string[], value: string) => {
      const query = new URLSearchParams(names.map((name): [string, string] => [name, value])).toString();
      const { status, url } = await visitor.get(`${address}?${query}`);
      if (status >= 500) broken.push(`${address}?${query.slice(0, 80)}`);
      return status === 200 && url.pathname === address;
    };
    for (const value of someOf(WRONG, oneIn)) {
      if (await look(PARAMETERS, value)) continue;
      // One that is refused may hide what another one breaks.
      for (const name of ['q', 'since', 'day']) await look([name], value);
    }
    for (const value of someOf(FORGED, oneIn)) await look(['cursor'], value);
  }
  return broken;
}

const TYPED = ['a\0b', '99999999999999999999', '\u{1F600}'.repeat(2000), 'José \u202etxt'];

/** What breaks when it is typed into a form. @param oneIn 1 tries every wrong value in every field */
export async function brokenByForms(pages: readonly Page[], oneIn: number) {
  const broken = new Set<string>();
  const known = new Set<string>();
  for (const { visitor, address } of pages) {
    const { text, url } = await visitor.get(address);
    for (const { action, fields } of wronglyFilledIn(text, known, oneIn)) {
      const { pathname } = new URL(action, url);
      const { status } = await visitor.post(pathname, fields);
      if (status >= 500) broken.add(`${action}: ${JSON.stringify(fields).slice(0, 300)}`);
    }
  }
  return { broken: [...broken], forms: known.size };
}

/** Each form of the page with one field in turn that is wrong, except forms that are already `known`. */
function wronglyFilledIn(
  text: string,
  known: Set<string>,
  oneIn: number,
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
      someOf(TYPED, oneIn).map((value) => ({ action, fields: formOf(text, action, { [name]: value }) })),
    );
  });
}
