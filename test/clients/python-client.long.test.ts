import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from '@jest/globals';
import { packPythonClient } from '../../dev/release/python-client.ts';
import { inDirectory, run } from '../docs/languages.ts';
import { suiteApi } from '../support/servers/api-server.ts';
import { clientProgram, expectClientWorks } from './client-run.ts';

const api = await suiteApi();

test('the wheel, installed in an empty environment, books, reads, lists, uploads a recording and reads an event', async () => {
  await using made = await mkdtempDisposable(join(tmpdir(), 'wheel-'));
  const wheel = await packPythonClient('9.8.7', made.path);
  await inDirectory({ 'use_client.py': clientProgram('use_client.py') }, async (directory) => {
    const within = { directory, timeoutMs: 280_000 };
    await run(['python3', '-m', 'venv', 'environment'], within);
    await run(['environment/bin/pip', 'install', '--quiet', '--no-input', wheel], within);
    const program = (env: Record<string, string>) =>
      run(['environment/bin/python', 'use_client.py'], { ...within, env });
    await expectClientWorks(api, program, 'application/octet-stream');
  });
});
