import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, test } from '@jest/globals';
import { createWebhookClient } from '../../adapters/webhooks/webhook-client.ts';
import { createTestAuthority, type ServerIdentity } from '../support/servers/certificates.ts';
import { snippet } from './guide.ts';
import { inDirectory } from './languages.ts';
import { signedDeliveries, type SignedDeliveryCase } from './signed-deliveries.ts';

test('the guide’s receiver takes our deliveries over TLS, reports each event once and refuses the rest', async () => {
  const authority = await createTestAuthority();
  const client = createWebhookClient({
    allowedCidrs: ['127.0.0.0/8', '::1/128'],
    extraCaPem: authority.caPem,
  });
  const { secret, deliveries } = deliveriesForOneSecret();
  const receives = withReceiver(await authority.issue(), secret, async ({ url, lines, stop }) => {
    const statuses: (number | null)[] = [];
    for (const { headers, body } of deliveries) {
      statuses.push((await client.post({ url, headers, body })).responseStatus);
    }
    expect(statuses).toEqual(deliveries.map(({ isAccepted }) => (isAccepted ? 200 : 401)));
    await stop();
    expect(await rest(lines)).toEqual(['appointment.created evt_0195571c5a607a3e9f002f5d1c9b7a30']);
  });
  try {
    await receives;
  } finally {
    await client.close();
  }
});

function deliveriesForOneSecret(): { secret: string; deliveries: SignedDeliveryCase[] } {
  const all = signedDeliveries(new Date());
  const secret = all[0]?.secret ?? '';
  const deliveries = all.filter((delivery) => delivery.secret === secret);
  expect(deliveries.filter(({ isAccepted }) => isAccepted).length).toBeGreaterThan(1);
  return { secret, deliveries };
}

interface RunningReceiver {
  url: string;
  lines: AsyncIterator<string>;
  stop(): Promise<void>;
}

function withReceiver(
  { cert, key }: ServerIdentity,
  secret: string,
  work: (receiver: RunningReceiver) => Promise<void>,
): Promise<void> {
  const files = {
    'verify.mjs': snippet('verify.mjs'),
    'receiver.mjs': snippet('receiver.mjs'),
    'receiver.pem': cert,
    'receiver-key.pem': key,
  };
  return inDirectory(files, async (directory) => {
    const child = spawn(process.execPath, ['receiver.mjs'], {
      cwd: directory,
      env: { ...process.env, WEBHOOK_SECRET: secret, PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
      const { value: url = '' } = await lines.next();
      await work({ url, lines, stop: () => stopped(child) });
    } finally {
      await stopped(child);
    }
  });
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill();
  await once(child, 'exit');
}

async function rest(lines: AsyncIterator<string>): Promise<string[]> {
  const all: string[] = [];
  for (let next = await lines.next(); !next.done; next = await lines.next()) all.push(next.value);
  return all;
}
