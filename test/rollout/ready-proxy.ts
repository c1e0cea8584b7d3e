import {
  Agent,
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { listenUntilDisposed } from '../../adapters/connections/listen-until-disposed.ts';
import { until } from '../support/until.ts';

const PROBE_EVERY_MS = 1000;
/** So often in a row a process is not ready before it gets no more requests; it has five seconds. */
const MAX_MISSES = 3;
/** Said for this connection alone. */
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding']);

interface Backend {
  url: URL;
  agent: Agent;
  /** Probes in a row that it was not ready for. */
  misses: number;
  timer: NodeJS.Timeout;
}

/** A proxy as stands before API processes: it asks each second who is ready, sends requests to those in turn, and repeats none. */
export interface ReadyProxy {
  url: string;
  /** Returns when the process is ready and gets its share of the requests. */
  add(url: string): Promise<void>;
  /** Of a process that has ended. */
  forget(url: string): void;
  close(): Promise<void>;
}

export async function startReadyProxy(): Promise<ReadyProxy> {
  const backends = new Map<string, Backend>();
  let turn = 0;
  const server = createServer({ keepAliveTimeout: 75_000 }, (incoming, outgoing) => {
    const ready = [...backends.values()].filter(({ misses }) => misses < MAX_MISSES);
    const backend = ready[(turn += 1) % ready.length];
    if (backend) passOn(backend, incoming, outgoing);
    else outgoing.writeHead(502).end('no one is ready');
  });
  const listening = await listenUntilDisposed(server);
  const forget = (url: string) => {
    const backend = backends.get(url);
    clearInterval(backend?.timer);
    backend?.agent.destroy();
    backends.delete(url);
  };
  return {
    url: `http://127.0.0.1:${listening.port}`,
    async add(url) {
      const probe = () => void isReady(url).then((is) => (backend.misses = is ? 0 : backend.misses + 1));
      const agent = new Agent({ keepAlive: true });
      const backend = {
        url: new URL(url),
        agent,
        misses: MAX_MISSES,
        timer: setInterval(probe, PROBE_EVERY_MS),
      };
      backends.set(url, backend);
      await until(`${url} to be ready`, () => backend.misses === 0);
    },
    forget,
    async close() {
      for (const url of backends.keys()) forget(url);
      await listening[Symbol.asyncDispose]();
    },
  };
}

function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/health/ready`).then(
    async (answer) => {
      await answer.arrayBuffer();
      return answer.ok;
    },
    () => false,
  );
}

function passOn({ url, agent }: Backend, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method, url: path, headers } = incoming;
  const { hostname, port } = url;
  const onward = httpRequest(
    { hostname, port, method, path, agent, headers: passedOn(headers) },
    (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, passedOn(answer.headers));
      answer.pipe(outgoing);
    },
  );
  onward.on('error', (error) =>
    outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end(error.message),
  );
  incoming.pipe(onward);
}

function passedOn<Headers extends object>(headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name))) as Headers;
}
