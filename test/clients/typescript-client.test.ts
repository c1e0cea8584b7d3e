import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { packTypescriptClient } from '../../dev/release/typescript-client.ts';
import { inDirectory, run } from '../docs/languages.ts';
import { ROOT } from '../docs/pages.ts';
import { suiteApi } from '../support/servers/api-server.ts';
import { clientProgram, expectClientWorks } from './client-run.ts';

const TYPES_CHECKED = [
  '--noEmit --strict --target es2024 --module nodenext --lib es2024,dom --types node',
  `--typeRoots ${join(ROOT, 'node_modules/@types')}`,
].join(' ');

const api = await suiteApi();
const made = mkdtempSync(join(tmpdir(), 'client-'));
let packed = '';

beforeAll(async () => {
  packed = await packTypescriptClient('9.8.7', made);
}, 120_000);
afterAll(() => rmSync(made, { recursive: true, force: true }));

/** An empty project with the packed client alone. */
async function inProject(
  files: Record<string, string>,
  body: (within: { directory: string; timeoutMs: number }) => Promise<void>,
): Promise<void> {
  const manifest = '{ "name": "receiver", "private": true, "type": "module" }';
  await inDirectory({ ...files, 'package.json': manifest }, async (directory) => {
    const within = { directory, timeoutMs: 120_000 };
    await run(['npm', 'install', '--offline', '--no-audit', '--no-fund', packed], within);
    await body(within);
  });
}

const tsc = (file: string) =>
  [join(ROOT, 'node_modules/.bin/tsc'), ...TYPES_CHECKED.split(' '), file] as const;

test('the packed client, installed in an empty project, books, reads, lists, uploads a recording and reads an event', async () => {
  await inProject({ 'use-client.ts': clientProgram('use-client.ts') }, async (within) => {
    await run(tsc('use-client.ts'), within);
    const program = [process.execPath, 'use-client.ts'];
    await expectClientWorks(api, (env) => run(program, { ...within, env }), 'audio/wav');
  });
});

test('its types refuse a wrong field, and a result before its status is checked', async () => {
  const wrong = `
import { createClinicApi } from 'clinic-appointments-client';
const api = createClinicApi({ url: '', apiKey: '' });
await api.bookAppointment({ patientNam: '' });
const read = await api.getAppointment('id');
const startsAt: string = read.data.startsAt;
`;
  await inProject({ 'wrong.ts': wrong }, async (within) => {
    const refused = await run(tsc('wrong.ts'), within).catch((error: unknown) => String(error));
    expect(refused).toContain("'patientNam' does not exist");
    expect(refused).toContain("is not assignable to type 'string'");
  });
});

test('it refuses a delivery with a wrong signature, and a response of a proxy', async () => {
  const program = `
import { createClinicApi, readEvent } from 'clinic-appointments-client';
const nameOf = (error) => error.name;
const proxy = async () => new Response('<h1>Bad gateway</h1>', { status: 502 });
const api = createClinicApi({ url: 'https://api.example.com', apiKey: 'key', fetch: proxy });
const refused = [
  await api.listAppointments().catch(nameOf),
  await Promise.resolve().then(() => readEvent('t=1,v1=00', Buffer.from('{}'), 'secret')).catch(nameOf),
  await Promise.resolve().then(() => readEvent(undefined, Buffer.from('{}'), 'secret')).catch(nameOf),
];
console.log(JSON.stringify(refused));
`;
  await inProject({ 'refused.mjs': program }, async (within) => {
    const said = await run([process.execPath, 'refused.mjs'], within);
    expect(JSON.parse(said)).toEqual(['UnexpectedResponseError', 'NotGenuineError', 'NotGenuineError']);
  });
});
