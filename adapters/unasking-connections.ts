import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** The connections of a server on which nobody has asked anything yet, in the order in which they came to that. */
export interface UnaskingConnections {
  /** Hangs up on the one that has been so for longest, to make room for this one; false when there is no other. */
  makeRoomFor(newcomer: Socket): boolean;
}

/**
 * Whoever sends half a request, and no more of it, holds a connection and costs nothing else: a thousand of them would keep
 * everybody out. So they are the ones to go when there is no room.
 * @param countsIdle whether one whose last request was answered counts as well, from then on
 */
export function watchUnasking(server: Server, { countsIdle }: { countsIdle: boolean }): UnaskingConnections {
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
  return {
    makeRoomFor(newcomer) {
      const oldest = unasking.values().find((socket) => socket !== newcomer);
      oldest?.destroy();
      return oldest !== undefined;
    },
  };
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
