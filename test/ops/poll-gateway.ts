import { once } from 'node:events';
import {
  connect,
  constants,
  createServer,
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type Http2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { IncomingHttpHeaders } from 'node:http2';
import type { AddressInfo } from 'node:net';

/** gRPC's status UNAVAILABLE: https://grpc.io/docs/guides/status-codes/ */
const UNAVAILABLE = '14';

/** A gateway before Temporal that passes every call on, but long polls only while it is open for them; it is not at first. */
export interface PollGateway {
  address: string;
  /** @param mayPass when not, polls that wait for a task are broken off, too */
  letPollsPass(mayPass: boolean): void;
  close(): Promise<void>;
}

/** @param target host and port of Temporal */
export async function startPollGateway(target: string): Promise<PollGateway> {
  let mayPoll = false;
  const server = createServer();
  const onwards = new Map<Http2Session, ClientHttp2Session>();
  const polls = new Set<ServerHttp2Stream>();
  server.on('session', (near) => {
    const far = connect(`http://${target}`);
    onwards.set(near, far);
    near.on('close', () => {
      onwards.delete(near);
      far.close();
    });
    // Temporal ends connections that are five minutes old; anyone who has come by it is to come again.
    far.on('goaway', () => near.close());
    far.on('close', () => near.close());
    far.on('error', () => near.destroy());
  });
  server.on('stream', (stream, headers) => {
    const isPoll = /\/Poll\w+TaskQueue$/.test(headers[':path'] ?? '');
    const far = stream.session && onwards.get(stream.session);
    if (!far || (isPoll && !mayPoll)) return refuse(stream);
    const call = passOn(stream, headers, far);
    if (!isPoll) return;
    polls.add(stream);
    stream.on('close', () => {
      polls.delete(stream);
      call.close(constants.NGHTTP2_CANCEL);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    letPollsPass(mayPass) {
      mayPoll = mayPass;
      if (!mayPass) for (const poll of polls) poll.close(constants.NGHTTP2_REFUSED_STREAM);
    },
    async close() {
      for (const [near, far] of onwards) {
        near.destroy();
        far.destroy();
      }
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

function passOn(
  near: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  temporal: ClientHttp2Session,
): ClientHttp2Stream {
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
  return far;
}
