import { mkdtemp, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Agent, request } from 'undici';
import { listenUntilDisposed } from '../../adapters/connections/listen-until-disposed.ts';
import { createLocalCa, issueServerCertificate, keepLocalCa } from '../../dev/data-directory/local-ca.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'local-ca-'));
});
afterEach(() => rm(directory, { recursive: true }));

test('the local CA is made once, its key readable by its owner alone', async () => {
  const [certificate, key] = [join(directory, 'ca.pem'), join(directory, 'ca-key.pem')];
  const made = await keepLocalCa(certificate, key);
  expect(await keepLocalCa(certificate, key)).toEqual(made);
  expect((await stat(key)).mode & 0o777).toBe(0o600);
});

test('a receiver with its certificate is trusted by who trusts the CA, by name and by address, and by no one else', async () => {
  const ca = await createLocalCa();
  const { certificatePem, keyPem } = await issueServerCertificate(ca);
  const server = createServer({ cert: certificatePem, key: keyPem }, (_, response) => response.end('hello'));
  await using listening = await listenUntilDisposed(server);
  const { port } = listening;
  const trusting = new Agent({ connect: { ca: ca.certificatePem } });
  const trustingAnother = new Agent({ connect: { ca: (await createLocalCa()).certificatePem } });
  try {
    for (const host of ['localhost', '127.0.0.1']) {
      const { body } = await request(`https://${host}:${port}`, { dispatcher: trusting });
      expect(await body.text()).toBe('hello');
    }
    await expect(request(`https://localhost:${port}`, { dispatcher: trustingAnother })).rejects.toThrow(
      /certificate/,
    );
  } finally {
    await Promise.all([trusting.destroy(), trustingAnother.destroy()]);
  }
});
