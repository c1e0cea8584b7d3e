import { describe, expect, test } from '@jest/globals';
import { allPages } from '../../../dashboard/app.ts';
import { ALL_FORMS, ASKED_BY_SCRIPTS, OF_EVERY_PAGE } from './all-forms.ts';
import { HISTORIES } from './histories.ts';
import { setStage } from './stage.ts';
import { forSuite } from '../../support/for-suite.ts';

/** Each form one way; every-form.long.test.ts has all of them all ways. */

const scene = await forSuite(setStage());

const ways = Object.entries(HISTORIES);
const forms = Object.entries(ALL_FORMS).map(([name, row], nr) => {
  const [history, happen] = ways[nr % ways.length] as (typeof ways)[number];
  return { name, row, history, happen };
});

test('every form of the dashboard is among those that are tried', () => {
  const routes = allPages(scene.dashboard.dependencies).filter(({ method }) => method === 'POST');
  const tried = Object.keys(ALL_FORMS).map((name) => name.split(' ')[0]);
  expect(new Set(tried)).toEqual(
    new Set(routes.map(({ path }) => path).filter((path) => !ASKED_BY_SCRIPTS.includes(path))),
  );
});

describe('a form does what its page shows', () => {
  test.each(forms)('$name, $history', async ({ row, happen }) => {
    await happen(scene, row);
  });
});

test('there is no other form on these pages', () => {
  const known = [...Object.keys(ALL_FORMS), ...OF_EVERY_PAGE];
  expect([...scene.seen].filter((name) => !known.includes(name))).toEqual([]);
});
