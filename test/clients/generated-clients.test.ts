import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { aStartedCall } from '../calls/call-builders.ts';
import { inDirectory, run } from '../docs/languages.ts';
import { codeAfter, ROOT } from '../docs/pages.ts';
import { startTestApi, type TestApi } from '../support/api-server.ts';
import { inHours } from '../support/clinic.ts';
import { pythonGenerator } from './python-generator.ts';

const DOCUMENT = join(ROOT, 'docs/openapi.json');
const PROGRAMS = join(ROOT, 'node_modules/.bin');
const TIMEOUT_MS = 120_000;
const TYPES_CHECKED = [
  '--noEmit --strict --skipLibCheck --allowImportingTsExtensions --target es2024 --module nodenext',
  '--lib es2024,dom --types node use-client.ts',
].join(' ');

let api: TestApi;
let nextHour = 24;

beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

/** What the page's programs are told. */
async function anEnvironment(): Promise<Record<string, string>> {
  return {
    API_URL: api.url,
    API_KEY: await api.keyOf(),
    PROFESSIONAL_ID: api.clinic.professionalIds[0] ?? '',
    SERVICE_ID: api.clinic.serviceTypeId,
    CALL_ID: await aStartedCall(api.client),
    STARTS_AT: inHours(nextHour++).toISOString(),
  };
}

function program(name: string): string {
  return codeAfter('docs/clients.md', `<!-- snippet: ${name} -->`);
}

/** What the program says that it did is what the clinic has now. */
async function expectDone(output: string, environment: Record<string, string>, contentType: string) {
  const { booked, ...rest } = JSON.parse(output) as { booked: string };
  expect(rest).toEqual({ status: 'confirmed', listed: [booked], sizeBytes: 1000 });
  const appointment = await api.client.get(`/v1/appointments/${booked}`);
  expect(appointment.body).toMatchObject({
    patientName: 'Ana Martins',
    startsAt: environment['STARTS_AT'],
    professionalId: environment['PROFESSIONAL_ID'],
  });
  const { body } = await api.client.get(`/v1/calls/${environment['CALL_ID']}/recording`);
  const { pathname, search } = new URL(String(body['url']));
  const audio = await fetch(`${api.url}${pathname}${search}`);
  expect(audio.headers.get('content-type')).toBe(contentType);
  expect(Buffer.from(await audio.arrayBuffer())).toEqual(Buffer.alloc(1000));
}

test(
  'a client in TypeScript is generated, its types hold, and it books, reads, lists and uploads a recording',
  async () => {
    const files = { 'use-client.ts': program('use-client.ts'), 'package.json': '{ "type": "module" }' };
    await inDirectory(files, async (directory) => {
      const within = { directory, timeoutMs: TIMEOUT_MS };
      await run([join(PROGRAMS, 'openapi-typescript'), DOCUMENT, '--output', 'clinic-api.ts'], within);
      await run([join(PROGRAMS, 'tsc'), ...TYPES_CHECKED.split(' ')], within);
      const env = await anEnvironment();
      const output = await run([process.execPath, 'use-client.ts'], { ...within, env });
      await expectDone(output, env, 'audio/wav');
    });
  },
  TIMEOUT_MS,
);

test('a client in Python is generated, and it books, reads, lists and uploads a recording', async () => {
  const packages = await pythonGenerator();
  await inDirectory({ 'use_client.py': program('use_client.py') }, async (directory) => {
    const within = { directory, timeoutMs: TIMEOUT_MS };
    const generate = ['python3', '-m', 'openapi_python_client', 'generate', '--path', DOCUMENT];
    const said = await run([...generate, '--meta', 'none', '--output-path', 'clinic_api'], {
      ...within,
      env: { PYTHONPATH: packages },
    });
    expect(said).not.toContain('will not be generated');
    const env = await anEnvironment();
    const output = await run(['python3', 'use_client.py'], {
      ...within,
      env: { ...env, PYTHONPATH: packages },
    });
    await expectDone(output, env, 'application/octet-stream');
  });
}, 300_000);
