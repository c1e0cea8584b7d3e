import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from './client-address.ts';

export interface PlaceLimits {
  /** The maximum number of connections of a process. */
  most: number;
  /**
   * The maximum per address, or per /64 network of IPv6. Equal to `most` behind a proxy, because all connections come
   * from the proxy.
   */
  mostOfAnAddress: number;
  /**
   * Whether connections count as idle again after a response, so that they may be closed to make room. If false, only
   * connections that have not sent a request may be closed.
   */
  countsIdle: boolean;
}

/**
 * Limits the connections of a server. When the limit of the process or of an address is reached, a new connection
 * replaces the one that has been without a request for longest: otherwise clients that never finish a request could
 * block all others. If the limit of the address is reached, a connection of that address is replaced.
 * @param refuse called for a new connection when no connection can be replaced
 */
export function limitConnections(server: Server, limits: PlaceLimits, refuse: (newcomer: Socket) => void) {
  const places = new Places();
  const unasking = watchUnasking(server, limits.countsIdle);
  server.on('connection', (newcomer: Socket) => {
    const address = networkOf(newcomer.remoteAddress ?? '') ?? 'unknown';
    const isAddressFull = places.countOf(address) >= limits.mostOfAnAddress;
    if (isAddressFull || places.addresses.size >= limits.most) {
      const mayGo = (one: Socket) => {
        const at = places.addresses.get(one);
        return at !== undefined && (!isAddressFull || at === address);
      };
      const oldest = unasking.values().find(mayGo);
      if (!oldest) return refuse(newcomer);
      places.free(oldest);
      oldest.destroy();
    }
    places.take(newcomer, address);
    newcomer.once('close', () => places.free(newcomer));
  });
}

/** The connections without a request; the longest waiting comes first. */
function watchUnasking(server: Server, countsIdle: boolean): Set<Socket> {
  const unasking = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    unasking.add(socket);
    socket.once('close', () => unasking.delete(socket));
  });
  server.on('request', (request: IncomingMessage, response) => {
    const { socket } = request;
    if (!countsIdle || !hasBody(request)) unasking.delete(socket);
    else request.once('end', () => unasking.delete(socket));
    if (countsIdle) response.once('close', () => socket.destroyed || unasking.add(socket));
  });
  return unasking;
}

/** Whether a request has a body: without either header it has none (RFC 9112, section 6.3). */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

class Places {
  readonly addresses = new Map<Socket, string>();
  readonly #counts = new Map<string, number>();

  countOf(address: string): number {
    return this.#counts.get(address) ?? 0;
  }

  take(socket: Socket, address: string): void {
    this.addresses.set(socket, address);
    this.#counts.set(address, this.countOf(address) + 1);
  }

  free(socket: Socket): void {
    const address = this.addresses.get(socket);
    if (address === undefined) return;
    this.addresses.delete(socket);
    const left = this.countOf(address) - 1;
    if (left > 0) this.#counts.set(address, left);
    else this.#counts.delete(address);
  }
}
