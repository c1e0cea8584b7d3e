import { timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { serviceSignature } from '../../domain/webhooks/webhook-headers.ts';
import type { LocalCa } from '../data-directory/local-ca.ts';
import type { Report } from '../report.ts';

const UNAVAILABLE = 503;
const UNAUTHORIZED = 401;
const WAIT_LIMIT_MS = 20_000;
const SIGNATURE = /^t=(\d+),v1=([0-9a-f]{64})$/;
const TOLERANCE_MS = 5 * 60_000;

interface Arrival {
  path: string;
  eventId: string;
  eventType: string;
  attempt: number;
  isSigned: boolean;
  /** What the receiver answered. */
  status: number;
}

/** A clinic's HTTPS receiver on this machine, which prints each delivery as it arrives. */
export interface DemoReceiver extends AsyncDisposable {
  /** The URL of a path, say `/pms`. */
  url(path: string): string;
  /** From now on deliveries to the path must carry this secret's signature; the first `failures` are answered 503. */
  expect(path: string, secret: string, failures: number): void;
  /** Starts the clock for "ms later". */
  mark(): void;
  until(path: string, eventType: string, attempt: number, stopping: AbortSignal): Promise<Arrival>;
}

export async function startDemoReceiver(identity: LocalCa, report: Report): Promise<DemoReceiver> {
  const expected = new Map<string, { secret: string; failures: number }>();
  const log = createArrivalLog();
  let markedAt = performance.now();

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request);
    const arrival = judge(request, body, expected.get(request.url ?? ''));
    response.writeHead(arrival.status).end();
    report.line(describe(arrival, performance.now() - markedAt));
    log.add(arrival);
  }

  const options = { cert: identity.certificatePem, key: identity.keyPem };
  const server = createServer(options, (request, response) => {
    // A request that breaks off before it is whole was not received; the service will try again.
    receive(request, response).catch(() => response.destroy());
  });
  const port = await listen(server);
  return {
    url: (path) => `https://localhost:${port}${path}`,
    expect: (path, secret, failures) => void expected.set(path, { secret, failures }),
    mark: () => void (markedAt = performance.now()),
    until: log.until,
    [Symbol.asyncDispose]: () => close(server),
  };
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function close(server: Server): Promise<void> {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
}

function createArrivalLog(): { add(arrival: Arrival): void; until: DemoReceiver['until'] } {
  const arrivals: Arrival[] = [];
  const news = new EventTarget();
  return {
    add(arrival) {
      arrivals.push(arrival);
      news.dispatchEvent(new Event('arrival'));
    },
    async until(path, eventType, attempt, stopping) {
      const signal = AbortSignal.any([stopping, AbortSignal.timeout(WAIT_LIMIT_MS)]);
      for (;;) {
        const found = arrivals.find(
          (each) => each.path === path && each.eventType === eventType && each.attempt === attempt,
        );
        if (found) return take(arrivals, found);
        await untilNews(news, signal, `${eventType}, attempt ${attempt}, did not arrive within 20 seconds`);
      }
    },
  };
}

function judge(
  request: IncomingMessage,
  body: string,
  expected: { secret: string; failures: number } | undefined,
): Arrival {
  const header = (name: string) => String(request.headers[name] ?? '');
  const isSigned =
    expected !== undefined && isSignedBy(expected.secret, header('x-service-signature'), body, new Date());
  const arrival = {
    path: request.url ?? '',
    eventId: header('x-service-event-id'),
    eventType: header('x-service-event-type'),
    attempt: Number(header('x-service-attempt')),
    isSigned,
  };
  if (!expected || !isSigned) return { ...arrival, status: UNAUTHORIZED };
  if (expected.failures === 0) return { ...arrival, status: 200 };
  expected.failures -= 1;
  return { ...arrival, status: UNAVAILABLE };
}

/** What every receiver should do: docs/webhooks.md#verify-the-signature */
function isSignedBy(secret: string, header: string, body: string, now: Date): boolean {
  const [, seconds] = SIGNATURE.exec(header) ?? [];
  if (seconds === undefined) return false;
  const signedAt = new Date(Number(seconds) * 1000);
  if (Math.abs(now.getTime() - signedAt.getTime()) > TOLERANCE_MS) return false;
  const expected = serviceSignature({ secrets: [secret], signedAt, body });
  return expected.length === header.length && timingSafeEqual(Buffer.from(expected), Buffer.from(header));
}

function describe({ path, eventType, attempt, isSigned, status }: Arrival, afterMs: number): string {
  const signature = isSigned ? 'signature verified' : 'SIGNATURE WRONG';
  const time = `${Math.round(afterMs)} ms later`;
  return `   ← ${path.padEnd(5)} ${eventType.padEnd(22)} attempt ${attempt}   ${signature}   answered ${status}   ${time}`;
}

function take(arrivals: Arrival[], found: Arrival): Arrival {
  arrivals.splice(arrivals.indexOf(found), 1);
  if (!found.isSigned) throw new Error(`${found.eventType} carried a wrong signature`);
  return found;
}

async function untilNews(news: EventTarget, signal: AbortSignal, complaint: string): Promise<void> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const give = () => reject(new Error(complaint));
  news.addEventListener('arrival', () => resolve(), { once: true });
  signal.addEventListener('abort', give, { once: true });
  try {
    await promise;
  } finally {
    signal.removeEventListener('abort', give);
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
