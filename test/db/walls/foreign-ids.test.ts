import { afterAll, describe, expect, test } from '@jest/globals';
import { goodRequestFor, pathTo } from '../../support/good-requests.ts';
import { KINDS, ROUTES, toldByForms, toldByPages, toldByRoute, toldOf } from './foreign-ids.ts';
import { rowsOf, twoFullClinics } from './full-clinic.ts';

/** How many ids are tried where they do not belong; foreign-ids.long.test.ts tries all. */
const OTHERS = 1;

const clinics = await twoFullClinics();
const { dashboard, own, other, stop } = clinics;
const before = await rowsOf(dashboard.database, other);
afterAll(() => stop());

describe('of the API', () => {
  test.each(ROUTES)('%s tells and changes nothing of another clinic', async (_id, contract) => {
    expect(await toldByRoute(clinics, contract, OTHERS)).toEqual([]);
  });

  const filters = ROUTES.filter(([, { method, request }]) => method === 'GET' && request.query);

  test.each(filters)('%s finds nothing by the ids of another clinic', async (_id, contract) => {
    const { query } = goodRequestFor(contract, own);
    const shape = contract.request.query as unknown as { shape: Record<string, unknown> };
    const names = Object.keys(shape.shape ?? {}).filter((name) => name in KINDS);
    const ids = Object.fromEntries(names.map((name) => [name, other.ids[KINDS[name] ?? 'key']]));
    for (const [name, id] of Object.entries(ids)) {
      const path = pathTo(contract, own.ids.appointment);
      const { status, text } = await own.client.send('GET', path, { query: { ...query, [name]: id } });
      expect([contract.path, status < 500, toldOf(other, text, [id])]).toEqual([contract.path, true, []]);
    }
  });
});

describe('of the dashboard', () => {
  test('no page shows anything of another clinic', async () => {
    expect(await toldByPages(clinics, OTHERS)).toEqual([]);
  });

  test('no form changes anything of another clinic', async () => {
    expect(await toldByForms(clinics, OTHERS)).toEqual([]);
  });
});

test('after all of it everything of the other clinic is as it was', async () => {
  expect(await rowsOf(dashboard.database, other)).toEqual(before);
});
