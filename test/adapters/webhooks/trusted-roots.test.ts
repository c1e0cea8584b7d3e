import { writeFile, mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { readCaFile } from '../../../adapters/webhooks/trusted-roots.ts';
import { createWebhookClient } from '../../../adapters/webhooks/webhook-client.ts';
import { createTestAuthority } from '../../support/servers/certificates.ts';
import { startReceiver } from '../../support/servers/receiver.ts';
import { forSuite } from '../../support/for-suite.ts';

const { path: directory } = await forSuite(mkdtempDisposable(join(tmpdir(), 'ca-')));

async function aFile(text: string): Promise<string> {
  const path = join(directory, 'ca.pem');
  await writeFile(path, text);
  return path;
}

test('every certificate in the operator’s file is trusted, whatever stands between them', async () => {
  const authorities = await Promise.all([createTestAuthority(), createTestAuthority()]);
  const extraCaPem = readCaFile(
    await aFile(authorities.map(({ caPem }) => `A comment\n${caPem}\n`).join('\n')),
  );
  const client = createWebhookClient({ allowedCidrs: ['127.0.0.0/8', '::1/128'], extraCaPem });
  for (const authority of authorities) {
    const receiver = await startReceiver(await authority.issue());
    expect(await client.post({ url: receiver.url(), headers: {}, body: '{}' })).toMatchObject({
      outcome: 'succeeded',
    });
    await receiver.close();
  }
  await client.close();
});

test('a file without a certificate, with a broken one, or that is missing stops the start', async () => {
  const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
  const [empty, path] = [await aFile('nothing here'), join(directory, 'missing.pem')];
  expect(() => readCaFile(empty)).toThrow('There is no PEM certificate');
  expect(() => readCaFile(path)).toThrow('ENOENT');
  await aFile(broken);
  expect(() => readCaFile(empty)).toThrow();
});
