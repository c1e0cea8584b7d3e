import { join } from 'node:path';
import { test } from '@jest/globals';
import { inDirectory, run } from '../docs/languages.ts';
import { ROOT } from '../docs/pages.ts';
import { suiteApi } from '../support/servers/api-server.ts';
import { clientProgram, expectClientWorks, signatureCheck } from './client-run.ts';

const PROGRAMS = join(ROOT, 'node_modules/.bin');
const TIMEOUT_MS = 120_000;
const TYPES_CHECKED = [
  '--noEmit --strict --allowJs --skipLibCheck --allowImportingTsExtensions --target es2024 --module nodenext',
  '--lib es2024,dom --types node use-client.ts',
].join(' ');

const api = await suiteApi();

test('a client in TypeScript is generated, its types hold, and it books, reads, lists, uploads a recording and reads an event', async () => {
  const files = {
    'use-client.ts': clientProgram('use-client.ts'),
    'verify.mjs': signatureCheck('verify.mjs'),
    'package.json': '{ "type": "module" }',
  };
  await inDirectory(files, async (directory) => {
    const within = { directory, timeoutMs: TIMEOUT_MS };
    const document = join(ROOT, 'docs/openapi.json');
    await run([join(PROGRAMS, 'openapi-typescript'), document, '--output', 'clinic-api.ts'], within);
    await run([join(PROGRAMS, 'tsc'), ...TYPES_CHECKED.split(' ')], within);
    const program = [process.execPath, 'use-client.ts'];
    await expectClientWorks(api, (env) => run(program, { ...within, env }), 'audio/wav');
  });
});
