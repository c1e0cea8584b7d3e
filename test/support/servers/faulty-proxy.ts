import { createServer, request as httpRequest } from 'node:http';
import { pipeline } from 'node:stream';
import { listenUntilDisposed } from '../../../adapters/connections/listen-until-disposed.ts';

/** Forwards HTTP to `target`, with faults chosen by the test. */
export interface FaultyProxy {
  endpoint: string;
  /** Answers requests with this method with 500, after letting `after` of them pass; null stops it. */
  refuse(method: string | null, options?: { after: number }): void;
  /** From now on answers like S3 to an account without the right to list the bucket: 403 for a missing object. */
  hideMissing(): void;
  /** Whether a request with this method and this text in its URL has arrived. */
  hasSeen(method: string, text: string): boolean;
  stop(): Promise<void>;
}

export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const { hostname, port } = new URL(target);
  const requests: string[] = [];
  let refused: string | null = null;
  let passing = 0;
  let hidesMissing = false;
  const server = createServer((incoming, outgoing) => {
    const { method = '', url: path = '', headers } = incoming;
    requests.push(`${method} ${path}`);
    if (method === refused && passing-- <= 0) {
      incoming.resume();
      outgoing.writeHead(500).end();
      return;
    }
    const onward = httpRequest({ hostname, port, method, path, headers }, (answer) => {
      if (answer.statusCode === 404 && hidesMissing) {
        answer.resume();
        outgoing.writeHead(403, { 'content-type': 'application/xml' });
        outgoing.end('<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>');
        return;
      }
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      // Ends with either side; what fails is seen by the side that is left.
      pipeline(answer, outgoing, () => undefined);
    });
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  const listening = await listenUntilDisposed(server);
  return {
    endpoint: `http://127.0.0.1:${listening.port}`,
    refuse(method, { after } = { after: 0 }) {
      refused = method;
      passing = after;
    },
    hideMissing() {
      hidesMissing = true;
    },
    hasSeen: (method, text) => requests.some((line) => line.startsWith(`${method} `) && line.includes(text)),
    stop: () => listening[Symbol.asyncDispose](),
  };
}
