import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from './client-address.ts';

export interface PlaceLimits {
  /** All connections of a process. */
  most: number;
  /** Per address, or /64 of IPv6. The same as `most` behind a proxy, because all come from it. */
  mostOfAnAddress: number;
  /** Whether an idle connection may be closed to make room. */
  countsIdle: boolean;
}

/**
 * Limits the connections of a server. When all places are taken, or those of an address, a new connection replaces the
 * one that has been without a request for longest: a client with half a request could otherwise block all others. An
 * address over its share loses its own.
 * @param refuse called for a new connection when all replaceable ones have requests
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

/** The connections without a request, in order. */
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

/** RFC 9112, section 6.3: a request without either header has none. */
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
