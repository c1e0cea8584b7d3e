import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { IncomingMessage } from 'node:http';
import { expect, test } from '@jest/globals';
import { aClinicsKey } from '../../calls/recording-builders.ts';
import { createTestDatabase } from '../../support/database.ts';
import { startApiProcess } from '../../support/servers/api-process.ts';

const MAX_FILES = 80;

/** Takes what the process has left: the first connection that it cannot take is hung up on. */
async function takeAll(url: URL): Promise<Socket[]> {
  const taken: Socket[] = [];
  for (let tries = 0; tries < MAX_FILES; tries += 1) {
    const socket = connect(Number(url.port), url.hostname);
    taken.push(socket.on('error', () => undefined));
    await once(socket, 'connect');
  }
  await Promise.race(taken.map((socket) => once(socket.resume(), 'close')));
  return taken;
}

test('without a descriptor left the API tells those whom it has to come back, and answers once it has some again', async () => {
  const own = await createTestDatabase();
  {
    await using api = await startApiProcess(own.url, {}, { mostFiles: MAX_FILES });
    const authorization = `Bearer ${await aClinicsKey(own.url)}`;
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const save = async (name: string) => {
      const headers = { authorization, 'content-type': 'application/json' };
      const sent = request(`${api.url}/v1/webhook-endpoints`, { method: 'POST', headers, agent });
      sent.end(JSON.stringify({ url: `https://${name}/hooks` }));
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      return {
        status: answer.statusCode,
        error: (JSON.parse(await text(answer)) as { error?: string }).error,
      };
    };
    expect((await save('before.invalid')).status).toBe(422);
    const taken = await takeAll(new URL(api.url));
    expect(await save('meanwhile.invalid')).toEqual({ status: 503, error: 'temporarily_unavailable' });
    for (const socket of taken) socket.destroy();
    expect((await save('afterwards.invalid')).status).toBe(422);
    agent.destroy();
  }
  await own[Symbol.asyncDispose]();
});
