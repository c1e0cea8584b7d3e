import { isIP } from 'node:net';
import { connect, type ConnectionOptions, type SecureContext, type TLSSocket } from 'node:tls';
import { isNativeError } from 'node:util/types';
import type { buildConnector } from 'undici';
import { afterRunning } from '../timing/after-running.ts';
import { type AddressGuard, permittedAddresses } from './address-guard.ts';
import { AttemptFailure, connectErrorClass, isOurFault } from './attempt-failure.ts';
import type { ResolveName } from './resolve-name.ts';
import type { ErrorClass } from '../../domain/webhooks/attempt-error.ts';

export interface ConnectionRules {
  guard: AddressGuard;
  resolve: ResolveName;
  trust: SecureContext;
  /** The time limit for DNS, connect and TLS together; DNS may use half of it. */
  timeoutMs: number;
}

/** Opens connections for the HTTP client: only to permitted addresses, and always with TLS verification. */
export function createGuardedConnector(rules: ConnectionRules): buildConnector.connector {
  return (target, callback) => void connectFor(target, rules, callback);
}

async function connectFor(
  target: buildConnector.Options,
  rules: ConnectionRules,
  callback: buildConnector.Callback,
): Promise<void> {
  let socket: TLSSocket;
  try {
    socket = await openConnection(target, rules);
  } catch (error) {
    callback(
      isNativeError(error) ? error : new AttemptFailure('connect_error', 'No connection', error),
      null,
    );
    return;
  }
  callback(null, socket);
}

async function openConnection(target: buildConnector.Options, rules: ConnectionRules): Promise<TLSSocket> {
  const endsAt = performance.now() + rules.timeoutMs;
  const addresses = await addressesOf(target.hostname, rules);
  const connectTo = (address: string, timeoutMs: number) =>
    connected(connect(connectionOptions(target, address, rules.trust)), { ...rules, timeoutMs });
  const socket = await connectInTurn(addresses, connectTo, endsAt - performance.now());
  return settled(socket, 'secureConnect', endsAt - performance.now());
}

async function addressesOf(host: string, { guard, resolve, timeoutMs }: ConnectionRules): Promise<string[]> {
  if (isIP(host) === 0) return permittedAddresses(host, { guard, resolve, timeoutMs: timeoutMs / 2 });
  if (guard.isExempt(host)) return [host];
  throw new AttemptFailure('blocked_address', 'The URL has an IP address instead of a host name');
}

function connected(socket: TLSSocket, { guard, timeoutMs }: ConnectionRules): Promise<TLSSocket> {
  socket.setNoDelay(true);
  // Before Node's own listener, so that a forbidden peer gets not even a TLS handshake.
  socket.prependOnceListener('connect', () => refuseForbiddenPeer(socket, guard));
  // Kept, because Node leaves a socket open whose TLS broke after the handshake, and the HTTP client would wait.
  socket.on('error', () => socket.destroy());
  return settled(socket, 'connect', timeoutMs);
}

/** Waits for the event; destroys the socket on failure or timeout. */
function settled(socket: TLSSocket, event: 'connect' | 'secureConnect', timeoutMs: number) {
  const { promise, resolve, reject } = Promise.withResolvers<TLSSocket>();
  const tooLate = () =>
    socket.destroy(new AttemptFailure('connect_timeout', 'The connection was not made in time'));
  const cancel = afterRunning(timeoutMs, tooLate);
  socket.once(event, () => {
    // Not if an earlier listener destroyed it: its error is reported instead.
    if (!socket.destroyed) resolve(socket);
  });
  socket.once('error', (error) => reject(atConnecting(error)));
  socket.once('close', () =>
    reject(new AttemptFailure('tls_error', 'The connection was closed before it was ready')),
  );
  return promise.finally(cancel);
}

function connectionOptions(
  { hostname, port }: buildConnector.Options,
  address: string,
  secureContext: SecureContext,
): ConnectionOptions {
  return {
    // The address that was checked, not a second answer of the name server.
    host: address,
    port: Number(port || 443),
    // SNI accepts only names, without the trailing dot (RFC 6066 §3).
    servername: isIP(hostname) ? '' : hostname.replace(/\.$/, ''),
    secureContext,
    // Explicit, because NODE_TLS_REJECT_UNAUTHORIZED=0 changes the default.
    rejectUnauthorized: true,
    ALPNProtocols: ['http/1.1'],
  };
}

/** The last check, of the address to which the bytes would go. */
function refuseForbiddenPeer(socket: TLSSocket, guard: AddressGuard): void {
  const refusal = guard.refusalOf(socket.remoteAddress ?? '');
  if (refusal !== null) socket.destroy(new AttemptFailure('blocked_address', refusal));
}

function atConnecting(error: Error): Error {
  if (error instanceof AttemptFailure || isOurFault(error)) return error;
  return new AttemptFailure(connectErrorClass(error), 'No TLS connection could be made', error);
}

/** The longest duration of the first try of an address. */
const FIRST_TURN_MS = 1_000;

/**
 * Tries the addresses of a host in turn until one connects. Further rounds, each twice as long, follow while one of
 * them is silent: a lost packet or a full queue recovers within seconds. If all refuse, it fails at once.
 * @param connectTo throws an AttemptFailure of the class connect_timeout or connect_error to try the next address
 * @throws AttemptFailure of these classes; other errors of `connectTo`
 */
async function connectInTurn<Connection>(
  addresses: readonly string[],
  connectTo: (address: string, timeoutMs: number) => Promise<Connection>,
  timeoutMs: number,
): Promise<Connection> {
  const endsAt = performance.now() + timeoutMs;
  let refusals = 0;
  for (const { address, turnMs } of turns(addresses, timeoutMs)) {
    const leftMs = endsAt - performance.now();
    if (leftMs <= 0) break;
    try {
      return await connectTo(address, Math.min(turnMs, leftMs));
    } catch (error) {
      if (!isOf('connect_timeout', error) && !isOf('connect_error', error)) throw error;
      refusals = isOf('connect_error', error) ? refusals + 1 : 0;
      if (refusals === addresses.length) throw error;
    }
  }
  throw new AttemptFailure('connect_timeout', 'The connection was not made in time');
}

function* turns(addresses: readonly string[], timeoutMs: number) {
  // No single address uses all the time; with many there is time for a second round.
  const firstMs = Math.min(FIRST_TURN_MS, timeoutMs / (2 * addresses.length));
  for (let turnMs = addresses.length === 1 ? timeoutMs : firstMs; ; turnMs *= 2) {
    for (const address of addresses) yield { address, turnMs };
  }
}

function isOf(errorClass: ErrorClass, error: unknown): boolean {
  return error instanceof AttemptFailure && error.errorClass === errorClass;
}
