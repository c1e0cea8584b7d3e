import { describe, expect, test } from '@jest/globals';
import { ALL_FORMS, OF_EVERY_PAGE } from './all-forms.ts';
import { HISTORIES } from './histories.ts';
import { setStage } from './stage.ts';
import { forSuite } from '../../support/for-suite.ts';

/** Every form of the dashboard in a browser, the ways people use it. */

const scene = await forSuite(setStage());

describe.each(Object.entries(ALL_FORMS))('the form %s does what its page shows', (_name, row) => {
  test.each(Object.entries(HISTORIES))('%s', async (_history, happen) => {
    await happen(scene, row);
  });
});

test('there is no other form on these pages', () => {
  const known = [...Object.keys(ALL_FORMS), ...OF_EVERY_PAGE];
  expect([...scene.seen].filter((name) => !known.includes(name))).toEqual([]);
});
