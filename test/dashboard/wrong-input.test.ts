import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { everythingStored } from '../patients/everything-stored.ts';
import { brokenByAddresses, brokenByForms, dashboardPages } from './wrong-inputs.ts';

const { dashboard, pages } = await dashboardPages();

// wrong-input.long.test.ts tries all values.
test('whatever stands in an address, no page breaks', async () => {
  expect(await brokenByAddresses(pages, 3)).toEqual([]);
});

test('whatever is typed into a form, no page breaks, and what turns text round is stored nowhere', async () => {
  const { broken, forms } = await brokenByForms(pages, 2);
  expect(broken).toEqual([]);
  expect(forms).toBeGreaterThan(30);
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
