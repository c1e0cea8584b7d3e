import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';

const PEM_CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * Trusts Node's root certificates and the operator's own. Created once, because reading the roots takes milliseconds.
 */
export function createTrust(extraCaPem?: string): SecureContext {
  const extra = extraCaPem === undefined ? [] : [extraCaPem];
  return createSecureContext({ ca: [...getCACertificates('default'), ...extra], minVersion: 'TLSv1.2' });
}

/**
 * Reads WEBHOOK_CA_FILE.
 * @throws when the file has no valid certificate
 */
export function readCaFile(path: string): string {
  const pems = readFileSync(path, 'utf8').match(PEM_CERTIFICATE) ?? [];
  if (pems.length === 0) throw new Error(`There is no PEM certificate in ${path}`);
  return pems.map((pem) => new X509Certificate(pem).toString()).join('\n');
}
