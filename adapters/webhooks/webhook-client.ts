import { Agent } from 'undici';
import type { ErrorClass } from '../../domain/webhooks/attempt-error.ts';
import { createAddressGuard, type AddressGuard } from './address-guard.ts';
import { AttemptFailure, exchangeErrorClass, isOurFault } from './attempt-failure.ts';
import { exchange, type Answer } from './exchange.ts';
import { createGuardedConnector } from './guarded-connector.ts';
import { createNameResolver, type ResolveName } from './resolve-name.ts';
import { createTrust } from './trusted-roots.ts';
import { readWebhookUrl } from './webhook-url.ts';

/** docs/webhooks.md#answer-fast */
const DEADLINE_MS = 10_000;
const MAX_HEADER_BYTES = 16 * 1024;
/** How long a connection may serve: then the name is looked up and the certificate verified anew. */
const CONNECTION_LIFE_MS = 60_000;

export interface WebhookRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** Asked when a connection is ready, before the first byte of the request. Always unless told. */
  mayBegin?: () => boolean;
}

/** What became of one attempt; an HTTP failure is a result, not an exception. */
export interface AttemptOutcome {
  outcome: 'succeeded' | 'failed';
  errorClass: ErrorClass | null;
  /** Null when no whole set of headers arrived. */
  responseStatus: number | null;
  /** At most 16 KiB of UTF-8 without NUL; null when there is no status. */
  responseExcerpt: string | null;
  durationMs: number;
}

export type WebhookClient = ReturnType<typeof createWebhookClient>;

export interface WebhookClientOptions {
  /** WEBHOOK_ALLOWED_CIDRS */
  allowedCidrs: readonly string[];
  /** Certificates trusted beside Node's roots, those of WEBHOOK_CA_FILE. */
  extraCaPem?: string | undefined;
  deadlineMs?: number;
  resolve?: ResolveName;
}

/** The one door through which webhooks leave. It knows nothing of deliveries. */
export function createWebhookClient(options: WebhookClientOptions) {
  const { allowedCidrs, extraCaPem, deadlineMs = DEADLINE_MS, resolve = createNameResolver() } = options;
  const guard = createAddressGuard(allowedCidrs);
  const trust = createTrust(extraCaPem);
  // One deadline rules every attempt, so the client's idle timeouts are off; nothing here follows redirects or inflates.
  const agent = new Agent({
    connect: createGuardedConnector({ guard, resolve, trust, timeoutMs: deadlineMs }),
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: MAX_HEADER_BYTES,
    keepAliveMaxTimeout: CONNECTION_LIFE_MS,
    clientTtl: CONNECTION_LIFE_MS,
  });
  return {
    /** @throws AttemptNotBegun; else only for faults of this process: out of sockets, closed, headers that cannot be sent */
    async post(request: WebhookRequest): Promise<AttemptOutcome> {
      const start = performance.now();
      const result = await attempt(request, { agent, guard, deadlineMs });
      return { ...result, durationMs: Math.round(performance.now() - start) };
    },
    /** Drops every connection; attempts still under way throw. */
    close: () => agent.destroy(),
  };
}

type Result = Omit<AttemptOutcome, 'durationMs'>;

async function attempt(
  request: WebhookRequest,
  how: { agent: Agent; guard: AddressGuard; deadlineMs: number },
): Promise<Result> {
  try {
    const reading = readWebhookUrl(request.url, how.guard);
    if (!reading.ok) throw new AttemptFailure('blocked_address', reading.message);
    return answered(await exchange(reading.url, request, how));
  } catch (error) {
    if (isOurFault(error)) throw error;
    return failed(exchangeErrorClass(error));
  }
}

function answered({ status, excerpt }: Answer): Result {
  const errorClass = statusErrorClass(status);
  const outcome = errorClass === null ? 'succeeded' : 'failed';
  return { outcome, errorClass, responseStatus: status, responseExcerpt: excerpt };
}

function failed(errorClass: ErrorClass): Result {
  return { outcome: 'failed', errorClass, responseStatus: null, responseExcerpt: null };
}

function statusErrorClass(status: number): ErrorClass | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return 'redirect';
  if (status >= 400 && status < 500) return 'http_4xx';
  return status >= 500 && status < 600 ? 'http_5xx' : 'invalid_response';
}
