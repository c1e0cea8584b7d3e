import { expect, test } from '@jest/globals';
import { printOutput } from '../../admin/run-admin.ts';

const LIST = {
  items: [
    { id: 'a', name: 'Clínica Sol', createdAt: null, config: { timezone: 'Europe/Lisbon' } },
    { id: 'b', name: 'moves \u001b[2J the cursor\n', createdAt: '2026-03-02', config: {} },
  ],
};
const COLUMNS = ['id', 'name', 'createdAt'];

test('on a terminal a list is a table of its chosen columns, and nothing in it moves the cursor', () => {
  const lines = printOutput({ output: LIST, columns: COLUMNS }, true)
    .split('\n')
    .map((line) => line.trimEnd());
  expect(lines).toEqual([
    'ID  NAME                    CREATED AT',
    'a   Clínica Sol             –',
    'b   moves ?[2J the cursor?  2026-03-02',
    '',
  ]);
});

test('a list without anything in it says so', () => {
  expect(printOutput({ output: { items: [] }, columns: COLUMNS }, true)).toBe('none\n');
});

test.each([
  ['in a pipe', LIST, COLUMNS, false],
  ['that is no list', { id: 'a' }, null, true],
  ['with what terminals obey', { answer: '\u001b[2J \u009b2J \u009d52;c;x\u009c \u007f' }, null, true],
])('what stands %s is one JSON document', (_, output, columns, isTerminal) => {
  const printed = printOutput({ output, columns }, isTerminal);
  expect(JSON.parse(printed)).toEqual(output);
  expect(printed.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
});
