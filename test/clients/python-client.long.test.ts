import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { inDirectory, run } from '../docs/languages.ts';
import { ROOT } from '../docs/pages.ts';
import { startTestApi, type TestApi } from '../support/servers/api-server.ts';
import { pythonPackages } from '../support/environment/python-packages.ts';
import { clientEnvironment, clientProgram, expectDone } from './client-run.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

test('a client in Python is generated, and it books, reads, lists and uploads a recording', async () => {
  const PYTHONPATH = await pythonPackages('test/clients/requirements.txt');
  await inDirectory({ 'use_client.py': clientProgram('use_client.py') }, async (directory) => {
    const within = { directory, timeoutMs: 120_000 };
    const generate = ['python3', '-m', 'openapi_python_client', 'generate', '--meta', 'none'];
    const paths = ['--path', join(ROOT, 'docs/openapi.json'), '--output-path', 'clinic_api'];
    const said = await run([...generate, ...paths], { ...within, env: { PYTHONPATH } });
    expect(said).not.toContain('will not be generated');
    const env = await clientEnvironment(api);
    const output = await run(['python3', 'use_client.py'], { ...within, env: { ...env, PYTHONPATH } });
    await expectDone(api, output, env, 'application/octet-stream');
  });
});
