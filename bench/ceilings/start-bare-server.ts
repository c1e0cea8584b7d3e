import { fork } from 'node:child_process';
import { once } from 'node:events';
import { anyPort } from '../../dev/processes/free-port.ts';
import type { Service } from '../service/start-service.ts';

/** Bare Koa over the service's own PostgreSQL: its address, and how to end it. */
export async function startBareServer(service: Service): Promise<{ url: string; stop(): Promise<void> }> {
  const port = await anyPort('127.0.0.1');
  const { databaseUrl } = await service.running();
  const child = fork(new URL('bare-server-main.ts', import.meta.url), {
    env: { PATH: process.env['PATH'], DATABASE_URL: databaseUrl, PORT: String(port) },
  });
  await once(child, 'message');
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}
