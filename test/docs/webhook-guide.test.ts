import { describe, expect, test } from '@jest/globals';
import { eventDefinition } from '../../domain/webhooks/events/webhook-events.schema.ts';
import { DELIVERY_STATUSES } from '../../domain/webhooks/delivery-status.ts';
import { SHOWN_STATUSES } from '../../domain/webhooks/endpoint-status.ts';
import { ERROR_CLASSES } from '../../domain/webhooks/attempt-error.ts';
import { EVENT_TYPES, TEST_EVENT_TYPE } from '../../domain/webhooks/event-types.ts';
import { STANDARD_TIMINGS } from '../../domain/timings.ts';
import { deliveryHeaders, serviceSignature } from '../../domain/webhooks/webhook-headers.ts';
import { exampleEvent, exampleHeaders, firstColumn, guide, snippet } from './guide.ts';
import { runnableSnippets, verdictsOf, inDirectory, type RunnableSnippet } from './languages.ts';
import { textOf } from './pages.ts';
import { signedDeliveries, type SignedDeliveryCase } from './signed-deliveries.ts';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:https';
import { createInterface } from 'node:readline';
import { createWebhookClient } from '../../adapters/webhooks/webhook-client.ts';
import { createTestAuthority, type ServerIdentity } from '../support/servers/certificates.ts';

describe('the guide for receivers', () => {
  test('shows the documented example of an event', () => {
    expect(exampleEvent()).toEqual(eventDefinition('appointment.created').example);
  });

  test('shows the very headers that sign that example', () => {
    const { id: eventId, type: eventType, createdAt } = eventDefinition('appointment.created').example;
    const [secret = ''] = /whsec_[A-Za-z0-9+/]{32}/.exec(guide) ?? [];
    const headers = deliveryHeaders({
      secrets: [secret],
      signedAt: new Date(createdAt),
      body: JSON.stringify(exampleEvent()),
      eventId,
      eventType,
      deliveryId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a60',
      attempt: 1,
    });
    expect(exampleHeaders()).toEqual(headers);
  });

  test('gives a known answer that is right', () => {
    const signedAt = new Date(1_636_936_200_000);
    const [, digest = ''] = serviceSignature({ secrets: ['secret'], signedAt, body: 'hello !' }).split('v1=');
    expect(guide).toContain('secret `secret`, `t` `1636936200`, body `hello !`');
    expect(guide).toContain(digest);
  });

  test('names every event type, status and error class', () => {
    const types = [...textOf('docs/events.md').matchAll(/`([a-z]+\.[a-z_]+)`/g)].map(([, type = '']) => type);
    expect(types).toEqual(expect.arrayContaining([...EVENT_TYPES, TEST_EVENT_TYPE]));
    expect(firstColumn('delivery')).toEqual([...DELIVERY_STATUSES]);
    expect(firstColumn('endpoint')).toEqual([...SHOWN_STATUSES]);
    expect(firstColumn('class')).toEqual([...ERROR_CLASSES]);
  });

  test('tells the retry schedule as it is', () => {
    const { retryDelaysSeconds } = STANDARD_TIMINGS;
    const told = [...guide.matchAll(/^\| \d \| (\d+) (seconds|minutes|hours?) after/gm)].map(
      ([, count, unit = '']) => Number(count) * secondsIn(unit),
    );
    expect(told).toEqual(retryDelaysSeconds);
    const total = retryDelaysSeconds.reduce((sum, delay) => sum + delay, 0);
    expect(total).toBe(14 * 3600 + 35 * 60 + 30);
    expect(guide).toContain('14 hours, 35 minutes and 30 seconds');
  });
});

function secondsIn(unit: string): number {
  if (unit.startsWith('hour')) return 3600;
  return unit === 'minutes' ? 60 : 1;
}

const BUILD_AND_RUN_MS = 300_000;

const runnable = runnableSnippets();

describe(`the guide’s snippets, run here in ${runnable.map(({ name }) => name).join(', ')}`, () => {
  test.each(runnable)(
    'in $name accept what we signed and nothing else',
    async (snippet) => {
      const verdicts = await verdictsOf(snippet, () => deliveriesFor(snippet));
      const wanted = deliveriesFor(snippet).map(({ name, isAccepted }) => ({ name, isAccepted }));
      expect(verdicts).toEqual(wanted);
    },
    BUILD_AND_RUN_MS,
  );
});

function deliveriesFor({ tolerates = [] }: RunnableSnippet) {
  return signedDeliveries(new Date()).filter(({ name }) => !tolerates.some((words) => name.includes(words)));
}

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

test('the guide’s receiver goes on after a request that broke off', async () => {
  const authority = await createTestAuthority();
  const client = createWebhookClient({
    allowedCidrs: ['127.0.0.0/8', '::1/128'],
    extraCaPem: authority.caPem,
  });
  const { secret, deliveries } = deliveriesForOneSecret();
  const genuine = deliveries.find(({ isAccepted }) => isAccepted);
  try {
    await withReceiver(await authority.issue(), secret, async ({ url }) => {
      await breakOff(url, authority.caPem);
      const { headers = {}, body = '' } = genuine ?? {};
      expect((await client.post({ url, headers, body })).responseStatus).toBe(200);
    });
  } finally {
    await client.close();
  }
});

/** Sends half of a request, and closes the connection when the receiver has read the headers. */
async function breakOff(url: string, ca: string): Promise<void> {
  const half = request(url, {
    method: 'POST',
    ca,
    headers: { 'content-length': 100, expect: '100-continue' },
  });
  half.on('error', () => undefined).flushHeaders();
  await once(half, 'continue');
  const { promise: isClosed, resolve } = Promise.withResolvers<unknown>();
  half.once('close', resolve).destroy();
  await isClosed;
}

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
