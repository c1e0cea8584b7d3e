import { EventEmitter, once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { text } from 'node:stream/consumers';
import { dataDirectory } from '../data-directory/data-directory.ts';
import { createDemoApi } from './demo-api.ts';
import { readFirstClinic, type FirstClinic } from '../first-clinic/first-clinic.ts';
import { issueServerCertificate, type LocalCa } from '../data-directory/local-ca.ts';
import { readTextIfPresent } from '../data-directory/private-file.ts';
import type { Report } from '../report.ts';
import { readRunningFile, type RunningService } from '../data-directory/running-file.ts';
import { listenUntilDisposed } from '../../adapters/connections/listen-until-disposed.ts';
import { checkSignature, SIGNATURE_TOLERANCE_SECONDS } from '../../domain/webhooks/check-signature.ts';

export type Demo = Awaited<ReturnType<typeof prepareDemo>>;

/**
 * Prepares the demo; disposing removes the demo's endpoints.
 * @throws Error with a message for the user when the service does not run or is no sandbox
 */
export async function prepareDemo(root: string, report: Report, stopping: AbortSignal) {
  const { running, clinic } = await findService(root);
  const resources = new AsyncDisposableStack();
  const receiver = resources.use(await startDemoReceiver(await serverIdentity(root), report, stopping));
  return {
    running,
    clinic,
    api: createDemoApi(running.apiUrl, clinic.key, stopping),
    receiver,
    /** Resources that are released at the end. */
    resources,
    report,
    stopping,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

async function findService(root: string): Promise<{ running: RunningService; clinic: FirstClinic }> {
  const files = dataDirectory(root);
  const [running, clinic] = [readRunningFile(files.running), readFirstClinic(files.demo)];
  if (!running || !clinic) {
    throw new Error(
      `no service runs in ${root}. Start it with "npm start" in another terminal, then try again.`,
    );
  }
  if (running.serviceMode !== 'test') {
    throw new Error('the running service is live. The demo invents patients, so it needs SERVICE_MODE=test.');
  }
  await untilAnswers(running.apiUrl);
  return { running, clinic };
}

/** Waits until the API answers: a killed launcher leaves running.json behind. */
async function untilAnswers(apiUrl: string): Promise<void> {
  try {
    const answer = await fetch(`${apiUrl}/health`, { signal: AbortSignal.timeout(5_000) });
    await answer.body?.cancel();
  } catch (error) {
    throw new Error(`the service does not answer at ${apiUrl}. Is "npm start" still running?`, {
      cause: error,
    });
  }
}

/** A localhost certificate from the local CA, which the service trusts. */
async function serverIdentity(root: string) {
  const files = dataDirectory(root);
  const [certificatePem, keyPem] = [readTextIfPresent(files.caCertificate), readTextIfPresent(files.caKey)];
  if (certificatePem === null || keyPem === null) {
    throw new Error(`the local CA is missing in ${root}. Start the service again with "npm start".`);
  }
  return issueServerCertificate({ certificatePem, keyPem });
}

const UNAVAILABLE = 503;
const UNAUTHORIZED = 401;
const WAIT_LIMIT_MS = 20_000;

interface Arrival {
  path: string;
  eventId: string;
  eventType: string;
  attempt: number;
  isSigned: boolean;
  /** The status of the receiver's response. */
  status: number;
}

/** A local HTTPS receiver that prints each delivery. */
async function startDemoReceiver(identity: LocalCa, report: Report, stopping: AbortSignal) {
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
    // An interrupted request was not received; the service retries.
    receive(request, response).catch(() => response.destroy());
  });
  const listening = await listenUntilDisposed(server);
  return {
    ...listening,
    /** The URL of a path, such as `/pms`. */
    url: (path: string) => `https://localhost:${listening.port}${path}`,
    /** From now on deliveries to the path must be signed with this secret; the first `failures` get a 503. */
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

/** Verifies the signature, as every receiver should: docs/webhooks.md#verify-the-signature */
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

export function heading({ report }: Demo, text: string): void {
  report.line('');
  report.line(text);
}

interface Registered {
  events: readonly string[];
  /** How many attempts its receiver refuses. */
  failures?: number;
}

/** Adds an endpoint and returns its id; it is deleted at the end of the demo. */
export async function register(
  demo: Demo,
  path: string,
  { events, failures = 0 }: Registered,
): Promise<string> {
  const { api, receiver, resources, report } = demo;
  const url = receiver.url(path);
  const { id, secret } = await api.addEndpoint(url, [...events]);
  resources.defer(async () => void (await api.removeEndpoint(id)));
  receiver.expect(path, secret, failures);
  report.line(`   POST /v1/webhook-endpoints → 201 ${url}`);
  return id;
}
