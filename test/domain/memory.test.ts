import { expect, test } from '@jest/globals';
import { Memory } from '../../adapters/memory.ts';

test('what is used survives a burst of others, and what was not used for the longest time goes first', () => {
  const memory = new Memory<number>(3);
  memory.keep('used', 0);
  for (let nr = 1; nr <= 10; nr += 1) {
    memory.of(`burst ${nr}`, () => nr);
    expect(memory.get('used')).toBe(0);
  }
  expect(['burst 8', 'burst 9', 'burst 10'].map((key) => memory.get(key))).toEqual([undefined, 9, 10]);
});
