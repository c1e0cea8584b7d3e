import { EventEmitter, once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { text } from 'node:stream/consumers';
import { listenUntilDisposed } from '../../adapters/connections/listen-until-disposed.ts';
import { checkSignature, SIGNATURE_TOLERANCE_SECONDS } from '../../domain/webhooks/check-signature.ts';
import type { LocalCa } from '../data-directory/local-ca.ts';
import type { Report } from '../report.ts';

const UNAVAILABLE = 503;
const UNAUTHORIZED = 401;
const WAIT_LIMIT_MS = 20_000;

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
export async function startDemoReceiver(identity: LocalCa, report: Report, stopping: AbortSignal) {
  const expected = new Map<string, { secret: string; failures: number }>();
  const log = createArrivalLog(stopping);
  let markedAt = performance.now();

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
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
  const listening = await listenUntilDisposed(server);
  return {
    ...listening,
    /** The URL of a path, say `/pms`. */
    url: (path: string) => `https://localhost:${listening.port}${path}`,
    /** From now on deliveries to the path must carry this secret's signature; the first `failures` are answered 503. */
    expect: (path: string, secret: string, failures: number) => void expected.set(path, { secret, failures }),
    /** Starts the clock for "ms later". */
    mark: () => void (markedAt = performance.now()),
    until: log.until,
  };
}

function createArrivalLog(stopping: AbortSignal) {
  const arrivals: Arrival[] = [];
  const news = new EventEmitter();
  return {
    add(arrival: Arrival): void {
      arrivals.push(arrival);
      news.emit('arrival');
    },
    until: async (path: string, eventType: string, attempt = 1): Promise<void> => {
      const signal = AbortSignal.any([stopping, AbortSignal.timeout(WAIT_LIMIT_MS)]);
      for (;;) {
        const found = arrivals.find(
          (each) => each.path === path && each.eventType === eventType && each.attempt === attempt,
        );
        if (found) return take(arrivals, found);
        await once(news, 'arrival', { signal }).catch((cause: unknown) => {
          throw new Error(`${eventType}, attempt ${attempt}, did not arrive within 20 seconds`, { cause });
        });
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
  const verdict = checkSignature({ header, body, sentBody: null, secrets: [secret], signedAt: [], now });
  return verdict.kind === 'fits' && Math.abs(verdict.ageSeconds) <= SIGNATURE_TOLERANCE_SECONDS;
}

function describe({ path, eventType, attempt, isSigned, status }: Arrival, afterMs: number): string {
  const signature = isSigned ? 'signature verified' : 'SIGNATURE WRONG';
  const time = `${Math.round(afterMs)} ms later`;
  return `   ← ${path.padEnd(5)} ${eventType.padEnd(22)} attempt ${attempt}   ${signature}   answered ${status}   ${time}`;
}

function take(arrivals: Arrival[], found: Arrival): void {
  arrivals.splice(arrivals.indexOf(found), 1);
  if (!found.isSigned) throw new Error(`${found.eventType} carried a wrong signature`);
}
