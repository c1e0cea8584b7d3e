import { connect } from 'node:net';

const TIMEOUT_MS = 1_000;

/** Whether something accepts TCP connections at `host:port` now. Never throws. */
export function canConnect(address: string): Promise<boolean> {
  const separator = address.lastIndexOf(':');
  const host = address.slice(0, separator).replace(/^\[(.*)\]$/, '$1');
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ host, port: Number(address.slice(separator + 1)), timeout: TIMEOUT_MS });
  socket.once('connect', () => resolve(true));
  socket.once('timeout', () => resolve(false));
  socket.once('error', () => resolve(false));
  return promise.finally(() => socket.destroy());
}
