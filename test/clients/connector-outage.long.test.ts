import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from '@jest/globals';
import { CSHARP_PROJECT } from '../docs/harnesses.ts';
import { inDirectory, run } from '../docs/languages.ts';
import { ROOT } from '../docs/pages.ts';
import { suiteApi } from '../support/servers/api-server.ts';
import { booksAreEqualAfterOutage, type DeliveryKind } from './connector-outage.ts';
import { TYPESCRIPT_CONNECTOR } from './connector-process.ts';
import { BUILD_TIMEOUT_MS, testWith } from './toolchain.ts';

const api = await suiteApi();

test.each<DeliveryKind>(['pull', 'push'])(
  'both books are equal after an outage among 2,000 operations: %s',
  (kind) => booksAreEqualAfterOutage(api, TYPESCRIPT_CONNECTOR, { kind, operations: 2000 }),
  30 * 60_000,
);

testWith(['dotnet'], 'the connector in C# is built, and both books are equal after an outage', () =>
  inDirectory({}, async (directory) => {
    copyFileSync(join(ROOT, 'docs-site/programs/connector.cs'), join(directory, 'connector.cs'));
    writeFileSync(join(directory, 'connector.csproj'), CSHARP_PROJECT);
    await run(['dotnet', 'build', '--output', 'built'], { directory, timeoutMs: BUILD_TIMEOUT_MS });
    const command = ['dotnet', join(directory, 'built/connector.dll')];
    for (const kind of ['pull', 'push'] as const)
      await booksAreEqualAfterOutage(api, command, { kind, operations: 200 });
  }),
);
