import { expect, test } from '@jest/globals';
import { postToBrokenReceiver } from './malformed-answers.ts';

test('four hundred malformed answers are outcomes, each within its deadline', async () => {
  const outcomes = await postToBrokenReceiver(1, 400);
  expect([...outcomes.keys()]).toEqual(expect.arrayContaining(['succeeded', 'invalid_response']));
});
