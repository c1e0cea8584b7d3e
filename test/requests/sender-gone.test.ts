import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from '@jest/globals';
import Koa from 'koa';
import type { RequestState } from '../../api/middleware/request-state.ts';
import { startServer } from '../../api/server.ts';
import { listen } from '../../dashboard/serving/listen.ts';

/** Of the API and of the dashboard, each as it listens. */
const SERVERS: Record<string, (app: Koa<RequestState>) => Promise<AsyncDisposable & { port: number }>> = {
  async api(app) {
    const server = await startServer(app, { host: '127.0.0.1', port: 0 });
    return Object.assign(server, { port: Number(new URL(server.url).port) });
  },
  dashboard: (app) => listen(app.callback(), { host: '127.0.0.1', port: 0 }),
};

test.each(Object.entries(SERVERS))(
  'the %s that ends waits for what it does for a sender who has left: the database is there until then',
  async (_, start) => {
    const [asked, work] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const app = new Koa<RequestState>();
    const seen: string[] = [];
    app.use(async ({ req }) => {
      asked.resolve();
      await once(req.socket, 'close');
      seen.push('its sender has left');
      await work.promise;
      seen.push('its work is done');
    });
    const server = await start(app);
    const socket = connect({ host: '127.0.0.1', port: server.port });
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await asked.promise;
    socket.destroy();
    const ended = server[Symbol.asyncDispose]().then(() => seen.push('the server has ended'));
    const late = connect({ host: '127.0.0.1', port: server.port });
    await once(late, 'error');
    await new Promise(setImmediate);
    work.resolve();
    await ended;
    expect(seen).toEqual(['its sender has left', 'its work is done', 'the server has ended']);
  },
);
