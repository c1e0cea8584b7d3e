import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect } from '@jest/globals';
import { listenUntilDisposed } from '../../../adapters/connections/listen-until-disposed.ts';
import { callersEnvironment } from '../../support/environment/callers-environment.ts';
import { verifySignature } from '../../support/queue-reader.ts';
import type { TestApi } from '../../support/servers/api-server.ts';
import { until } from '../../support/until.ts';
import { anEventFor } from '../recorded-attempts.ts';
import { aPullEndpoint } from './pull-endpoint.ts';

interface Started {
  api: TestApi;
  directory: string;
  running: Set<ChildProcess>;
}

/** The software of the clinic; answers what it is told to. */
async function aLocalReceiver() {
  const received: { headers: IncomingMessage['headers']; body: string }[] = [];
  let status = 200;
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    received.push({ headers: request.headers, body: (await buffer(request)).toString() });
    response.writeHead(status).end();
  };
  const listening = await listenUntilDisposed(
    createServer((request, response) => void answer(request, response)),
  );
  return {
    ...listening,
    url: `http://127.0.0.1:${listening.port}/hook`,
    received,
    answers: (next: number) => void (status = next),
  };
}

function start(
  { api, directory, running }: Started,
  command: string,
  args: string[],
  environment: Record<string, string>,
) {
  const child = spawn(command, args, {
    cwd: directory,
    env: { ...callersEnvironment(), API_URL: api.url, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(child, 'exit').then(([code]) => {
    running.delete(child);
    return code as number | null;
  });
  return { child, ended, output: () => output };
}

/** A program that the API serves passes each event on, survives a kill, and goes on from its state file. */
export async function expectListens(
  api: TestApi,
  { name, type, command }: { name: string; type: string; command: string },
): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'listen-'));
  const of: Started = { api, directory, running: new Set() };
  try {
    const served = await fetch(`${api.url}/docs/${name}`);
    expect([served.status, served.headers.get('content-type')]).toEqual([200, `${type}; charset=utf-8`]);
    await writeFile(join(directory, name), await served.text());
    await using receiver = await aLocalReceiver();
    const place = await aPullEndpoint(api);
    const { endpointId, key: API_KEY, secret, statusOf } = place;
    const listen = () => start(of, command, [name, endpointId, receiver.url], { API_KEY });
    const event = () => anEventFor(api.database, place);

    const deliveries = [await event(), await event()];
    receiver.answers(503);
    const first = listen();
    await until('a refusal', () => receiver.received.length > 0);
    receiver.answers(200);
    await until('both to be acknowledged', async () =>
      (await Promise.all(deliveries.map(({ id }) => statusOf(id)))).every((status) => status === 'succeeded'),
    );
    const [item] = receiver.received;
    if (!item) throw new Error('nothing arrived');
    const signature = String(item.headers['x-service-signature']);
    const headers = { 'X-Service-Signature': signature };
    expect(verifySignature({ deliveryId: '', event: item.body, headers }, secret)).toBe(true);

    first.child.kill('SIGKILL');
    await first.ended;
    const missed = await event();
    const second = listen();
    await until('the missed one', async () => (await statusOf(missed.id)) === 'succeeded');
    second.child.kill('SIGTERM');
    expect(await second.ended).toBe(0);
    const eventIds = receiver.received.map(({ headers: sent }) => String(sent['x-service-event-id']));
    expect([...new Set(eventIds)]).toEqual([...deliveries, missed].map(({ eventId }) => eventId));
    expect(second.output()).toMatch(new RegExp(`${missed.eventId} nps.submitted 200 \\d+ ms`));
    expect(first.output() + second.output()).not.toContain(API_KEY);
    expect(JSON.parse(await readFile(join(directory, `listen-${endpointId}.json`), 'utf8'))).toEqual({
      cursor: expect.any(String),
      passed: [],
    });

    const refused = start(of, command, [name, endpointId, receiver.url], { API_KEY: 'svc_test_wrong' });
    expect(await refused.ended).toBe(1);
    expect(refused.output()).toContain('the queue was refused: 401');
    const unusable = start(of, command, [name], { API_KEY });
    expect(await unusable.ended).toBe(2);
  } finally {
    for (const child of of.running) child.kill('SIGKILL');
    await rm(directory, { recursive: true });
  }
}
