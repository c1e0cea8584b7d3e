import { expect, test } from '@jest/globals';
import { syntaxProblems } from '../docs/samples/syntax-problems.ts';
import { suiteApi } from '../support/servers/api-server.ts';
import { booksAreEqualAfterOutage, type DeliveryKind } from './connector-outage.ts';
import { TYPESCRIPT_CONNECTOR } from './connector-process.ts';
import { programText } from './sync-program.ts';

const api = await suiteApi();

test.each<DeliveryKind>(['pull', 'push'])(
  'after an outage in which a connector was killed and lost its latest state, both books are equal: %s',
  (kind) => booksAreEqualAfterOutage(api, TYPESCRIPT_CONNECTOR, { kind, operations: 100 }),
);

test.each(['connector.ts', 'connector.cs', 'sync.py'])('%s is offered for download', async (name) => {
  const served = await fetch(`${api.url}/docs/${name}`);
  expect([served.status, await served.text()]).toEqual([200, programText(name)]);
});

// Where a compiler is installed, connector-outage.long.test.ts builds and runs it.
test('the connector in C# is C#', async () => {
  const code = programText('connector.cs');
  expect(await syntaxProblems({ where: 'connector.cs', syntax: 'csharp', code })).toEqual([]);
});
