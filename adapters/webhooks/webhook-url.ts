import { isIP } from 'node:net';
import { longest } from '../../domain/text/bounded-text.schema.ts';
import { endpointRules } from '../../domain/webhooks/endpoint-rules.schema.ts';
import { createAddressGuard, type AddressGuard, permittedAddresses } from './address-guard.ts';
import { AttemptFailure } from './attempt-failure.ts';
import { createNameResolver, type ResolveName } from './resolve-name.ts';

const MAX_URL_LENGTH = longest(endpointRules.url);

/** The messages for refused URLs. They say what to change and reveal nothing about the internal network. */
const REFUSALS = {
  unreadable: 'Enter the full URL of the receiver, for example https://example.com/webhooks.',
  too_long: `The URL may have at most ${MAX_URL_LENGTH} characters.`,
  not_https: 'The URL must start with https://, because events contain patient data.',
  credentials: 'Remove the user name and password; check the signature header instead.',
  fragment: 'Remove # and everything after it. That part is never sent.',
  address: 'Use a host name instead of an IP address.',
  // One message for a missing name and for an internal one: two would reveal internal names.
  name: 'The host name must resolve to public internet addresses only. Check its spelling and its DNS records.',
} as const;

export type WebhookUrlRefusal = keyof typeof REFUSALS;

interface RefusedUrl {
  ok: false;
  reason: WebhookUrlRefusal;
  /** The message in English. */
  message: string;
}

export type WebhookUrlVerdict = { ok: true; url: string } | RefusedUrl;

const LOOKUP_TIMEOUT_MS = 5_000;

/** Creates the check for saving a receiver's URL. The accepted URL is in the form that will be requested. */
export function createWebhookUrlCheck({
  allowedCidrs,
  resolve = createNameResolver(),
}: {
  allowedCidrs: readonly string[];
  resolve?: ResolveName;
}): (text: string) => Promise<WebhookUrlVerdict> {
  const guard = createAddressGuard(allowedCidrs);
  return async (text) => {
    const reading = readWebhookUrl(text, guard);
    if (!reading.ok) return reading;
    const { href, hostname } = reading.url;
    const isKeyValid = isLiteral(hostname) || (await leadsOutside(hostname, guard, resolve));
    return isKeyValid ? { ok: true, url: href } : refused('name');
  };
}

/** The checks without DNS: when the URL is saved and before every attempt. */
export function readWebhookUrl(text: string, guard: AddressGuard): { ok: true; url: URL } | RefusedUrl {
  if (text.length > MAX_URL_LENGTH) return refused('too_long');
  const url = URL.parse(text);
  if (url === null) return refused('unreadable');
  const reason = formProblem(url, guard);
  return reason === null ? { ok: true, url } : refused(reason);
}

function refused(reason: WebhookUrlRefusal): RefusedUrl {
  return { ok: false, reason, message: REFUSALS[reason] };
}

function formProblem(url: URL, guard: AddressGuard): WebhookUrlRefusal | null {
  if (url.protocol !== 'https:') return 'not_https';
  if (url.username || url.password) return 'credentials';
  if (url.href.includes('#')) return 'fragment';
  if (isLiteral(url.hostname) && !guard.isExempt(literalOf(url.hostname))) return 'address';
  return null;
}

/** Whether a name resolves and all its addresses are allowed. */
async function leadsOutside(name: string, guard: AddressGuard, resolve: ResolveName): Promise<boolean> {
  try {
    await permittedAddresses(name, { guard, resolve, timeoutMs: LOOKUP_TIMEOUT_MS });
    return true;
  } catch (error) {
    if (!(error instanceof AttemptFailure)) throw error;
    return false;
  }
}

function isLiteral(hostname: string): boolean {
  return isIP(literalOf(hostname)) !== 0;
}

/** The IP address in a host, without the brackets that URLs put around IPv6. */
function literalOf(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}
