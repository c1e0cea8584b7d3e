import { once } from 'node:events';
import { connect, createServer, type ClientHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { IncomingHttpHeaders } from 'node:http2';
import type { AddressInfo } from 'node:net';

/** gRPC's status UNAVAILABLE: https://grpc.io/docs/guides/status-codes/ */
const UNAVAILABLE = '14';

/** A gateway before Temporal that passes every call on, but long polls only while it is open for them; it is not at first. */
export interface PollGateway {
  address: string;
  letPollsPass(mayPass: boolean): void;
  close(): Promise<void>;
}

/** @param target host and port of Temporal */
export async function startPollGateway(target: string): Promise<PollGateway> {
  const temporal = connect(`http://${target}`);
  let mayPoll = false;
  const server = createServer();
  const sessions = new Set<{ destroy(): void }>();
  server.on('session', (session) => sessions.add(session));
  server.on('stream', (stream, headers) => {
    const isPoll = /\/Poll\w+TaskQueue$/.test(headers[':path'] ?? '');
    if (isPoll && !mayPoll) refuse(stream);
    else passOn(stream, headers, temporal);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    letPollsPass: (mayPass) => void (mayPoll = mayPass),
    async close() {
      for (const session of sessions) session.destroy();
      temporal.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function refuse(stream: ServerHttp2Stream): void {
  stream.on('error', () => undefined);
  stream.respond(
    {
      ':status': 200,
      'content-type': 'application/grpc',
      'grpc-status': UNAVAILABLE,
      'grpc-message': 'no polls',
    },
    { endStream: true },
  );
}

function passOn(near: ServerHttp2Stream, headers: IncomingHttpHeaders, temporal: ClientHttp2Session): void {
  const far = temporal.request(headers);
  let trailers: IncomingHttpHeaders = {};
  for (const [stream, other] of [
    [near, far],
    [far, near],
  ] as const) {
    stream.on('error', () => other.close());
    stream.on('aborted', () => other.close());
  }
  far.on('response', (answer, flags) => {
    // An answer without a body has its status among the headers.
    const endStream = (flags & 1) === 1;
    if (!near.destroyed) near.respond(answer, { endStream, waitForTrailers: !endStream });
  });
  far.on('trailers', (last) => (trailers = last));
  near.on('wantTrailers', () => near.sendTrailers(trailers));
  near.pipe(far);
  far.pipe(near);
}
