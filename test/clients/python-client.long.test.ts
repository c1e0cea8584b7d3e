import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { inDirectory, run } from '../docs/languages.ts';
import { ROOT } from '../docs/pages.ts';
import { suiteApi } from '../support/servers/api-server.ts';
import { pythonPackages } from '../support/environment/python-packages.ts';
import { clientProgram, expectClientWorks, signatureCheck } from './client-run.ts';

const api = await suiteApi();

test('a client in Python is generated, and it books, reads, lists, uploads a recording and reads an event', async () => {
  const PYTHONPATH = await pythonPackages('test/clients/requirements.txt');
  const files = { 'use_client.py': clientProgram('use_client.py'), 'verify.py': signatureCheck('verify.py') };
  await inDirectory(files, async (directory) => {
    const within = { directory, timeoutMs: 120_000 };
    const generate = ['python3', '-m', 'openapi_python_client', 'generate', '--meta', 'none'];
    const paths = ['--path', join(ROOT, 'docs/openapi.json'), '--output-path', 'clinic_api'];
    const said = await run([...generate, ...paths], { ...within, env: { PYTHONPATH } });
    expect(said).not.toContain('will not be generated');
    const program = (env: object) =>
      run(['python3', 'use_client.py'], { ...within, env: { ...env, PYTHONPATH } });
    await expectClientWorks(api, program, 'application/octet-stream');
  });
});
