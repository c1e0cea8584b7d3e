import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Contract } from '../../../api/contract/define-contracts.ts';
import { contracts } from '../../../api/resources.ts';
import { allPages } from '../../../dashboard/app.ts';
import { FORM_TOKEN } from '../../../dashboard/layout/form.ts';
import type { Database } from '../../../db/connection/open-database.ts';
import { goodRequestFor, pathTo } from '../../support/good-requests.ts';
import { formOf, type Visitor } from '../../support/pages/visitor.ts';
import { storedRows } from '../../support/stored/stored-texts.ts';
import { twoFullClinics, type FullClinic, type Thing } from './full-clinic.ts';

const { dashboard, own, other, stop } = await twoFullClinics();
const before = await rowsOf(dashboard.database, other);
afterAll(() => stop());

/** Everything that is stored of the clinic, but for what it has asked and seen itself, which is written down later. */
async function rowsOf(database: Database, { tenantId }: FullClinic): Promise<string[]> {
  const stored = await storedRows(database);
  return [...stored]
    .filter(([table]) => !['request_log', 'patient_read'].includes(table))
    .flatMap(([, rows]) => rows.filter((row) => row.includes(tenantId)))
    .toSorted();
}

/** What it tells of the other clinic, beside the ids that it was asked with. */
function toldOfOther(text: string, asked: readonly string[]): string[] {
  const { mark, ids, tenantId } = other;
  return [mark, tenantId, ...Object.values(ids)].filter(
    (each) => !asked.includes(each) && text.includes(each),
  );
}

const KINDS: Record<string, Thing> = {
  professionalId: 'professional',
  serviceTypeId: 'service',
  callId: 'call',
  holdId: 'hold',
  appointmentId: 'appointment',
  endpointId: 'endpoint',
  eventId: 'event',
  deliveryId: 'delivery',
  keyId: 'key',
};

/** The same with the other clinic’s ids in every field that names something. */
function withForeignIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withForeignIds);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, inner]) => {
      const kind = KINDS[field.replace(/Ids$/, 'Id')];
      if (kind === undefined) return [field, withForeignIds(inner)];
      return [field, Array.isArray(inner) ? [other.ids[kind]] : other.ids[kind]];
    }),
  );
}

/** What a path may name; anyone who puts something under an id that no one has makes it, and it is theirs. */
function namedBy({ method, path }: Contract): string[] {
  if (method !== 'PUT') return Object.values(other.ids);
  return path.startsWith('/v1/calls/') ? [other.ids.call] : ['ownmark-1'];
}

describe('of the API', () => {
  const routes = Object.entries<Contract>(contracts).filter(([, { access }]) => access !== 'public');

  test.each(routes)('%s tells and changes nothing of another clinic', async (_id, contract) => {
    const good = goodRequestFor(contract, own);
    const foreign = { ...good, ...('body' in good && { body: withForeignIds(good.body) }) };
    const told: object[] = [];
    for (const request of 'body' in good ? [good, foreign] : [good]) {
      for (const id of namedBy(contract)) {
        const path = pathTo(contract, id);
        const { status, text } = await own.client.send(contract.method, path, request);
        const found = toldOfOther(text, [
          id,
          ...Object.values(other.ids).filter((each) => JSON.stringify(request).includes(each)),
        ]);
        if (status >= 500 || found.length > 0) told.push({ path, status, found });
        if (path === contract.path) break;
      }
    }
    expect(told).toEqual([]);
  });

  const filters = routes.filter(([, { method, request }]) => method === 'GET' && request.query);

  test.each(filters)('%s finds nothing by the ids of another clinic', async (_id, contract) => {
    const { query } = goodRequestFor(contract, own);
    const shape = contract.request.query as unknown as { shape: Record<string, unknown> };
    const names = Object.keys(shape.shape ?? {}).filter((name) => name in KINDS);
    const ids = Object.fromEntries(names.map((name) => [name, other.ids[KINDS[name] ?? 'key']]));
    for (const [name, id] of Object.entries(ids)) {
      const path = pathTo(contract, own.ids.appointment);
      const { status, text } = await own.client.send('GET', path, { query: { ...query, [name]: id } });
      expect([contract.path, status < 500, toldOfOther(text, [id])]).toEqual([contract.path, true, []]);
    }
  });
});

const NAMED_IN_PAGES = [
  'appointmentId',
  'endpointId',
  'call',
  'professional',
  'keyId',
  'delivery',
  'eventId',
].concat(['clinic', 'endpoint', 'service']);
const NAMED_IN_FORMS = [
  'professionalId',
  'serviceTypeId',
  'callId',
  'deliveries',
  'chosen',
  'key',
  'id',
  'events',
];

describe('of the dashboard', () => {
  let visitor: Visitor;
  beforeAll(async () => {
    visitor = await dashboard.person('ana');
  });

  /** What a page may be asked for in its address. */
  const queries = (id: string) =>
    new URLSearchParams(Object.fromEntries(NAMED_IN_PAGES.map((name) => [name, id])));

  test('no page shows anything of another clinic', async () => {
    const told: object[] = [];
    const addresses = allPages(dashboard.dependencies)
      .filter(({ method }) => method === 'GET')
      .flatMap(({ path }) =>
        Object.values(other.ids).flatMap((id) => {
          const address = path.replaceAll(/:\w+/g, id);
          if (address !== path) return [{ id, asked: address }];
          return [
            { id: '', asked: path },
            { id, asked: `${path}?${queries(id).toString()}` },
          ];
        }),
      );
    // A path that names nothing is asked for once.
    for (const [asked, { id }] of new Map(addresses.map((each) => [each.asked, each]))) {
      const { status, text } = await visitor.get(asked);
      const found = toldOfOther(text, [id]);
      if (status >= 500 || found.length > 0) told.push({ asked, status, found });
    }
    expect(told).toEqual([]);
  });

  test('no form changes anything of another clinic', async () => {
    const page = await visitor.get('/settings');
    const token = formOf(page.text, '/language')[FORM_TOKEN] ?? '';
    expect(token).not.toBe('');
    const broken: object[] = [];
    const forms = allPages(dashboard.dependencies).filter(({ method }) => method === 'POST');
    for (const { path } of forms) {
      for (const id of Object.values(other.ids)) {
        const address = path.replaceAll(/:\w+/g, id);
        const named = [...NAMED_IN_PAGES, ...NAMED_IN_FORMS].map((name) => [name, id]);
        const fields = { ...Object.fromEntries(named), [FORM_TOKEN]: token };
        const { status, text } = await visitor.post(address, fields);
        const found = toldOfOther(text, [id]);
        if (status >= 500 || found.length > 0) broken.push({ address, status, found });
      }
    }
    expect(broken).toEqual([]);
  });
});

test('after all of it everything of the other clinic is as it was', async () => {
  expect(await rowsOf(dashboard.database, other)).toEqual(before);
});
