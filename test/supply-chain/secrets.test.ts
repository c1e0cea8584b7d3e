import { spawnSync } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PROJECT_ROOT } from '../../dev/processes/run-script.ts';
import { newApiKey } from '../../domain/clinic/api-key.ts';

/** As in `check` of package.json. */
function scan(text: string) {
  const program = join(PROJECT_ROOT, 'node_modules/.bin/secretlint');
  const { status, stdout } = spawnSync(program, ['--stdinFileName', 'some.ts'], {
    cwd: PROJECT_ROOT,
    input: text,
    encoding: 'utf8',
  });
  return { status, stdout };
}

// Made here: a scanner would find them in this file, and rightly.
const privateKey = () =>
  generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs1', format: 'pem' });
const password = () => randomBytes(12).toString('hex');

test.each([
  ['a clinic’s live key', () => newApiKey('live').key],
  ['a clinic’s test key', () => newApiKey('test').key],
  ['the signing secret of an endpoint', () => `whsec_${randomBytes(32).toString('base64')}`],
  ['a private key', () => String(privateKey())],
  [
    'the address of a database with its password',
    () => `postgresql://clinic:${password()}@db.test:5432/clinic`,
  ],
  ['a password in an address', () => `https://ana:${password()}@pms.example.com/`],
  [
    'a secret key of Amazon’s',
    () => `AWS_SECRET_ACCESS_KEY=${randomBytes(30).toString('base64').slice(0, -1)}k`,
  ],
])('%s in a file is refused, and not shown', (_, secret) => {
  const text = secret();
  const { status, stdout } = scan(`const it = '${text}';\n`);
  expect([status, stdout.includes('error')]).toEqual([1, true]);
  expect(stdout).not.toContain(text.slice(-16));
});

test('what is no secret is let through', () => {
  expect(scan("const it = 'svc_live_';\nconst other = 'whsec_…';\n").status).toBe(0);
});
