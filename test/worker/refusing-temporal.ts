import { once } from 'node:events';
import {
  connect,
  createServer,
  type ClientHttp2Session,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';

/** What a namespace of Temporal Cloud refuses to those who only work in it. */
const CHANGES = [
  'WorkflowService/RegisterNamespace',
  'WorkflowService/UpdateNamespace',
  'OperatorService/AddSearchAttributes',
];
const LISTING = 'OperatorService/ListSearchAttributes';

const PERMISSION_DENIED = '7';

export interface RefusingTemporal {
  address: string;
  close(): Promise<void>;
}

/** A Temporal server in front of another one, that refuses to change namespaces, as an authorizer does. */
export async function startRefusingTemporal(
  target: string,
  { refusesListing = false } = {},
): Promise<RefusingTemporal> {
  const refused = refusesListing ? [...CHANGES, LISTING] : CHANGES;
  const far = connect(`http://${target}`);
  const server = createServer();
  server.on('stream', (stream, headers) => {
    stream.on('error', () => stream.destroy());
    const isRefused = refused.some((method) => headers[':path']?.endsWith(method));
    return isRefused ? refuse(stream) : carry(stream, headers, far);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      far.close();
      server.close();
      await once(server, 'close');
    },
  };
}

function refuse(stream: ServerHttp2Stream): void {
  stream.respond(
    {
      ':status': 200,
      'content-type': 'application/grpc',
      'grpc-status': PERMISSION_DENIED,
      'grpc-message': 'Request unauthorized.',
    },
    { endStream: true },
  );
}

function carry(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, far: ClientHttp2Session): void {
  const call = far.request(headers).on('error', () => stream.destroy());
  let trailers: IncomingHttpHeaders = {};
  call.on('trailers', (received) => (trailers = received));
  call.on('response', (answer, flags) => {
    const endStream = (flags & 1) === 1;
    stream.respond(answer, { waitForTrailers: !endStream, endStream });
    stream.on('wantTrailers', () => stream.sendTrailers(trailers));
    if (!endStream) call.pipe(stream);
  });
  stream.pipe(call);
}
