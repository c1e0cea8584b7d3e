import type { IncomingMessage } from 'node:http';

/**
 * Whether a request has exactly one Host header, as RFC 9112, section 3.2, requires (HTTP/1.0 may omit it). Of several
 * Host headers Node keeps the first, but a proxy in front may have used another.
 */
export function namesOneHost({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0');
}
