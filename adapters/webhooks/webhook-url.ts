import { isIP } from 'node:net';
import { createAddressGuard, type AddressGuard } from './address-guard.ts';
import { AttemptFailure } from './attempt-failure.ts';
import { permittedAddresses } from './permitted-addresses.ts';
import { createNameResolver, type ResolveName } from './resolve-name.ts';

/** The message tells the clinic what to change and nothing about the network inside. */
export type WebhookUrlVerdict = { ok: true; url: string } | { ok: false; message: string };

const MAX_URL_LENGTH = 2_048;
const LOOKUP_TIMEOUT_MS = 5_000;

/** Makes the check of a receiver's URL when it is saved. The accepted URL is in the form that will be requested. */
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
    const message = isLiteral(hostname) ? null : await nameProblem(hostname, guard, resolve);
    return message === null ? { ok: true, url: href } : { ok: false, message };
  };
}

/** What can be judged without DNS: asked when the URL is saved and again before every attempt. */
export function readWebhookUrl(
  text: string,
  guard: AddressGuard,
): { ok: true; url: URL } | { ok: false; message: string } {
  const url = text.length > MAX_URL_LENGTH ? null : URL.parse(text);
  const message = url === null ? unreadable(text) : formProblem(url, guard);
  return url === null || message !== null
    ? { ok: false, message: message ?? unreadable(text) }
    : { ok: true, url };
}

function unreadable(text: string): string {
  return text.length > MAX_URL_LENGTH
    ? `The URL may have at most ${MAX_URL_LENGTH} characters.`
    : 'Give the whole URL of the receiver, such as https://example.com/webhooks.';
}

function formProblem(url: URL, guard: AddressGuard): string | null {
  if (url.protocol !== 'https:') return 'The URL must start with https://, because events hold patient data.';
  if (url.username || url.password)
    return 'Remove the user name and password; check the signature header instead.';
  if (url.href.includes('#')) return 'Remove the part from # on; it would never be sent.';
  if (isLiteral(url.hostname) && !guard.isExempt(literalOf(url.hostname))) {
    return 'Use a host name instead of an IP address.';
  }
  return null;
}

async function nameProblem(name: string, guard: AddressGuard, resolve: ResolveName): Promise<string | null> {
  try {
    await permittedAddresses(name, { guard, resolve, timeoutMs: LOOKUP_TIMEOUT_MS });
    return null;
  } catch (error) {
    if (!(error instanceof AttemptFailure)) throw error;
    return error.errorClass === 'dns_error'
      ? 'The host name cannot be resolved. Check its spelling and its DNS records.'
      : 'The host name must lead to public internet addresses only.';
  }
}

function isLiteral(hostname: string): boolean {
  return isIP(literalOf(hostname)) !== 0;
}

/** URLs write IPv6 in brackets. */
function literalOf(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}
