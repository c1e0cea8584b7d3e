import { expect, test } from '@jest/globals';
import { brokenByAddresses, brokenByForms, dashboardPages } from './wrong-inputs.ts';

const { pages } = await dashboardPages();

test('no wrong value in an address breaks any page', async () => {
  expect(await brokenByAddresses(pages, 1)).toEqual([]);
});

test('no wrong value in any field of a form breaks a page', async () => {
  expect((await brokenByForms(pages, 1)).broken).toEqual([]);
});
