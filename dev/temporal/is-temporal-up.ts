import { connect } from 'node:net';

const TIMEOUT_MS = 1_000;

/** What a client of HTTP/2 says first: the preface and an empty SETTINGS frame (RFC 9113, section 3.4). */
const GREETING = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0', 'latin1');

/**
 * Whether a server at `host:port` answers a greeting now, or at least hangs up on it, as one that asks for TLS does. A frozen one takes
 * connections and says nothing. Never throws.
 */
export function isTemporalUp(address: string): Promise<boolean> {
  const separator = address.lastIndexOf(':');
  const host = address.slice(0, separator).replace(/^\[(.*)\]$/, '$1');
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ host, port: Number(address.slice(separator + 1)), timeout: TIMEOUT_MS });
  let isConnected = false;
  socket.once('connect', () => {
    isConnected = true;
    socket.write(GREETING);
  });
  socket.once('data', () => resolve(true));
  socket.once('timeout', () => resolve(false));
  socket.on('error', () => resolve(isConnected));
  socket.once('end', () => resolve(true));
  return promise.finally(() => socket.destroy());
}
