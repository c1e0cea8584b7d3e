import { once } from 'node:events';
import { createServer } from 'node:net';
import { isErrorCode } from './process-identity.ts';

/** The preferred port when nothing listens on it, else one that the system picks. */
export async function freePort(host: string, preferred: number): Promise<number> {
  return (await tryPort(host, preferred)) ?? (await anyPort(host));
}

export async function anyPort(host: string): Promise<number> {
  const port = await tryPort(host, 0);
  if (port === null) throw new Error(`no free port on ${host}`);
  return port;
}

async function tryPort(host: string, port: number): Promise<number | null> {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    if (isErrorCode(error, 'EADDRINUSE') || isErrorCode(error, 'EACCES')) return null;
    throw error;
  }
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : null;
}
