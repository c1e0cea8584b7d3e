import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { isErrorCode } from '../../adapters/error-code.ts';

/** The range of ports, below the ephemeral ports, which may be taken between check and use. */
const [LOWEST, HIGHEST] = [15_000, 31_999];
const TRIES = 50;

/** The preferred port if it is free, otherwise any free one. */
export async function freePort(host: string, preferred: number): Promise<number> {
  return (await tryPort(host, preferred)) ?? (await anyPort(host));
}

export async function anyPort(host: string): Promise<number> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = await tryPort(host, randomInt(LOWEST, HIGHEST));
    if (port !== null) return port;
  }
  throw new Error(`no free port on ${host}`);
}

/** Whether the host is an address of this machine. */
export function isOwnAddress(host: string): Promise<boolean> {
  return tryPort(host, 0).then(
    () => true,
    () => false,
  );
}

/** The URL at which programs of this machine reach a server on this host and port. */
export function urlOf(host: string, port: number): string {
  const reachable = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

async function tryPort(host: string, port: number): Promise<number | null> {
  await using server = createServer();
  try {
    await once(server.listen(port, host), 'listening');
  } catch (error) {
    if (isErrorCode(error, 'EADDRINUSE', 'EACCES')) return null;
    throw error;
  }
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : null;
}
