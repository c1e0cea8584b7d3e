import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import type { DiagnosticsChannel } from 'undici';

type OnConnection = (socket: Socket) => void;

const waiting = new WeakMap<object, OnConnection>();
let dispatching: OnConnection | null = null;

// The HTTP client reveals a request's connection only in these channels. They also carry other requests.
subscribe('undici:request:create', (message) => {
  const { request } = message as DiagnosticsChannel.RequestCreateMessage;
  if (dispatching) waiting.set(request, dispatching);
});
subscribe('undici:client:sendHeaders', (message) => {
  const { request, socket } = message as DiagnosticsChannel.ClientSendHeadersMessage;
  waiting.get(request)?.(socket);
});

/** Dispatches a request; `onConnection` gets its connection just before the first byte is written. */
export function dispatchWith(onConnection: OnConnection, dispatch: () => void): void {
  dispatching = onConnection;
  try {
    dispatch();
  } finally {
    dispatching = null;
  }
}
