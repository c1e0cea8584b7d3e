import { afterAll, expect, test } from '@jest/globals';
import { ROUTES, toldByForms, toldByPages, toldByRoute } from './foreign-ids.ts';
import { rowsOf, twoFullClinics } from './full-clinic.ts';

const clinics = await twoFullClinics();
const { dashboard, other, stop } = clinics;
const before = await rowsOf(dashboard.database, other);
afterAll(() => stop());

test('no route, page or form tells or changes anything of another clinic, whatever id it is asked with', async () => {
  const told = [];
  for (const [, contract] of ROUTES) told.push(...(await toldByRoute(clinics, contract, Infinity)));
  told.push(...(await toldByPages(clinics, Infinity)), ...(await toldByForms(clinics, Infinity)));
  expect(told).toEqual([]);
  expect(await rowsOf(dashboard.database, other)).toEqual(before);
});
