import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { readFirstClinic } from '../../../dev/first-clinic/first-clinic.ts';
import { anyPort } from '../../../dev/processes/free-port.ts';
import { answerWith } from '../../support/servers/receiver.ts';
import { startService } from '../../support/servers/service.ts';
import { snippet } from '../guide.ts';
import { inDirectory, run } from '../languages.ts';
import { createGuideReader, type GuideReader } from './guide-reader.ts';
import { startNotingProxy, type Exchange } from './noting-proxy.ts';
import { forSuite } from '../../support/for-suite.ts';

const service = await forSuite(startService());
const proxy = await forSuite(startNotingProxy(service.running().apiUrl));

test('who pastes the quickstart books, meets a conflict, moves, checks in, gets verified webhooks and syncs', async () => {
  await asReader(`localhost:${await anyPort('127.0.0.1')}`, async (reader) => {
    expect(statusesOf(await reader.paste('quickstart', 'See what can be booked'))).toEqual([200, 200, 200]);
    expect(statusesOf(await reader.paste('quickstart', 'Book'))).toEqual([201]);
    const [conflict] = await reader.paste('quickstart', 'Meet a conflict');
    expect(JSON.parse(conflict?.answer ?? '')).toMatchObject({ error: 'slot_conflict' });
    await reader.paste('webhooks', 'Make a certificate');
    expect(statusesOf(await reader.paste('quickstart', 'Receive your first webhook'))).toEqual([201]);
    expect(statusesOf(await reader.paste('quickstart', 'Move it'))).toEqual([200]);
    expect(await reader.nextLine()).toMatch(/^appointment\.rescheduled evt_/);
    expect(statusesOf(await reader.paste('quickstart', 'Check the patient in'))).toEqual([200]);
    expect(await reader.nextLine()).toMatch(/^appointment\.attended evt_/);
    const [synced] = await reader.paste('quickstart', 'Keep a copy in step');
    const { items } = JSON.parse(synced?.answer ?? '') as { items: { status: string }[] };
    // The sandbox's own appointment was changed before them.
    expect(items.slice(-2)).toMatchObject([{ status: 'rescheduled' }, { status: 'attended' }]);
  });
});

test('who pastes the guide to a receiver of their own gets what `npm start` suggests to book', async () => {
  await asReader(`localhost:${await anyPort('127.0.0.1')}`, async (reader) => {
    await reader.paste('webhooks', 'Make a certificate');
    expect(statusesOf(await reader.paste('webhooks', 'Run it'))).toEqual([201]);
    await runSuggestion(service.npm.output());
    expect(await reader.nextLine()).toMatch(/^appointment\.created evt_/);
  });
});

test('who pastes the guide to webhooks sets up, tests, rotates and replays an endpoint', async () => {
  const receiver = await service.receiver();
  receiver.otherwise(answerWith(200));
  await asReader(`localhost:${receiver.port}`, async (reader) => {
    expect(statusesOf(await reader.paste('webhooks', 'Set up and test an endpoint'))).toEqual([201, 202]);
    await receiver.received(1);
    expect(statusesOf(await reader.paste('webhooks', 'Change the secret'))).toEqual([200]);
    expect(statusesOf(await reader.paste('webhooks', 'Replay missed events'))).toEqual([202]);
  });
});

/** In a directory with the files that the guides give. */
function asReader(host: string, work: (reader: GuideReader) => Promise<void>): Promise<void> {
  const files = { 'verify.mjs': snippet('verify.mjs'), 'receiver.mjs': snippet('receiver.mjs') };
  return inDirectory(files, async (directory) => {
    const reader = createGuideReader({
      directory,
      proxy,
      apiKey: readFirstClinic(join(service.dataDirectory, 'demo.json'))?.key ?? '',
      typed: (command) =>
        command
          .replaceAll('.local/', `${service.dataDirectory}/`)
          .replaceAll(/localhost:8443|pms\.example\.com/g, host)
          .replace('node receiver.mjs', `PORT=${host.split(':')[1]} node receiver.mjs`),
    });
    try {
      await work(reader);
    } finally {
      await reader.stop();
    }
  });
}

/** The command that books an appointment. */
async function runSuggestion(printed: string): Promise<void> {
  const [command = ''] = /^curl [\s\S]*?'\n(?=\n)/m.exec(printed.replaceAll(/^ +/gm, '')) ?? [];
  expect(
    JSON.parse(await run(['bash', '-ec', command], { directory: '.', timeoutMs: 60_000 })),
  ).toMatchObject({
    status: 'confirmed',
  });
}

function statusesOf(exchanges: readonly Exchange[]): number[] {
  return exchanges.map(({ status }) => status);
}
