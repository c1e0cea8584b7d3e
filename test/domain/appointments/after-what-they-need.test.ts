import { expect, test } from '@jest/globals';
import { inDependencyOrder } from '../../../domain/appointments/dependency-order.ts';

function ordered(items: string, needs: Record<string, string>): string[] {
  const groups = inDependencyOrder(items.split(''), (one, other) => needs[one]?.includes(other) ?? false);
  return groups.map((group) => group.toSorted().join(''));
}

test('those that need nothing stay in their order', () => {
  expect(ordered('abc', {})).toEqual(['a', 'b', 'c']);
  expect(ordered('', {})).toEqual([]);
});

test('each comes after all that it needs', () => {
  expect(ordered('abcd', { a: 'b', b: 'c', c: 'd' })).toEqual(['d', 'c', 'b', 'a']);
  expect(ordered('abcd', { a: 'cd', d: 'c' })).toEqual(['c', 'd', 'a', 'b']);
});

test('those that need each other come together, after what any of them needs', () => {
  expect(ordered('ab', { a: 'b', b: 'a' })).toEqual(['ab']);
  expect(ordered('abcde', { a: 'b', b: 'c', c: 'ad', e: 'a' })).toEqual(['d', 'abc', 'e']);
  expect(ordered('abcd', { a: 'b', b: 'a', c: 'd', d: 'c' })).toEqual(['ab', 'cd']);
});

test('one that needs itself is alone', () => {
  expect(ordered('a', { a: 'a' })).toEqual(['a']);
});
