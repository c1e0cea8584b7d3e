import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import { createLocalCa, issueServerCertificate, type LocalCa } from '../../../dev/data-directory/local-ca.ts';

const WEAK = {
  name: 'RSASSA-PKCS1-v1_5',
  modulusLength: 1024,
  publicExponent: new Uint8Array([1, 0, 1]),
  hash: 'SHA-256',
};

/** What an HTTPS server needs to show who it is. */
export interface ServerIdentity {
  cert: string;
  key: string;
}

interface IdentityOptions {
  /** Host names the certificate is for; `localhost` by default. */
  names?: string[];
  addresses?: string[];
  expired?: boolean;
  /** With a key that is too short. */
  weak?: boolean;
}

/** A certificate authority that lives as long as the test. */
export interface TestAuthority {
  caPem: string;
  issue(options?: IdentityOptions): Promise<ServerIdentity>;
}

export async function createTestAuthority(): Promise<TestAuthority> {
  const ca = await createLocalCa();
  return {
    caPem: ca.certificatePem,
    issue: async ({ names, addresses = [], expired = false, weak = false } = {}) =>
      toIdentity(
        await issueServerCertificate(ca, {
          names,
          addresses,
          days: expired ? -1 : 1,
          keyAlgorithm: weak ? WEAK : undefined,
        }),
      ),
  };
}

/** A certificate that vouches for itself. */
export async function selfSignedIdentity(): Promise<ServerIdentity> {
  const signingAlgorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await webcrypto.subtle.generateKey(signingAlgorithm, true, ['sign', 'verify']);
  const extensions = [new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: 'localhost' }])];
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=localhost',
    signingAlgorithm,
    keys,
    extensions,
  });
  const key = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  return { cert: certificate.toString('pem'), key: x509.PemConverter.encode(key, 'PRIVATE KEY') };
}

/** The certificate of an authority itself, which is not one for servers. */
export async function authorityAsServer(): Promise<ServerIdentity> {
  return toIdentity(await createLocalCa());
}

export function toIdentity({ certificatePem, keyPem }: LocalCa): ServerIdentity {
  return { cert: certificatePem, key: keyPem };
}
