import 'reflect-metadata';
import { randomUUID, webcrypto } from 'node:crypto';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY_MS = 86_400_000;

/** What an HTTPS server needs to show who it is. */
export interface ServerIdentity {
  cert: string;
  key: string;
}

interface IdentityOptions {
  /** Host names the certificate is for; `localhost` unless told. */
  names?: string[];
  addresses?: string[];
  expired?: boolean;
}

/** A certificate authority that lives as long as the test. */
export interface TestAuthority {
  caPem: string;
  issue(options?: IdentityOptions): Promise<ServerIdentity>;
}

export async function createTestAuthority(): Promise<TestAuthority> {
  const keys = await generateKeys();
  const ca = await X509CertificateGenerator.createSelfSigned({
    name: `CN=Test authority ${randomUUID()}`,
    keys,
    signingAlgorithm: ALGORITHM,
    ...validity(false),
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
    ],
  });
  return {
    caPem: ca.toString('pem'),
    issue: (options = {}) => issue(options, { issuer: ca.subject, signingKey: keys.privateKey }),
  };
}

/** A certificate that vouches for itself. */
export async function selfSignedIdentity(): Promise<ServerIdentity> {
  const keys = await generateKeys();
  const cert = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=localhost',
    keys,
    signingAlgorithm: ALGORITHM,
    ...validity(false),
    extensions: serverExtensions({}),
  });
  return { cert: cert.toString('pem'), key: await keyPem(keys) };
}

async function issue(
  options: IdentityOptions,
  authority: { issuer: string; signingKey: webcrypto.CryptoKey },
): Promise<ServerIdentity> {
  const keys = await generateKeys();
  const cert = await X509CertificateGenerator.create({
    subject: 'CN=Receiver',
    publicKey: keys.publicKey,
    signingAlgorithm: ALGORITHM,
    ...authority,
    ...validity(options.expired ?? false),
    extensions: serverExtensions(options),
  });
  return { cert: cert.toString('pem'), key: await keyPem(keys) };
}

function serverExtensions({ names = ['localhost'], addresses = [] }: IdentityOptions) {
  return [
    new BasicConstraintsExtension(false),
    new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
    new SubjectAlternativeNameExtension([
      ...names.map((value) => ({ type: 'dns' as const, value })),
      ...addresses.map((value) => ({ type: 'ip' as const, value })),
    ]),
  ];
}

function validity(expired: boolean): { notBefore: Date; notAfter: Date } {
  const now = Date.now();
  return { notBefore: new Date(now - 2 * DAY_MS), notAfter: new Date(now + (expired ? -1 : 1) * DAY_MS) };
}

async function generateKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

async function keyPem(keys: webcrypto.CryptoKeyPair): Promise<string> {
  const der = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  return `-----BEGIN PRIVATE KEY-----\n${Buffer.from(der).toString('base64')}\n-----END PRIVATE KEY-----\n`;
}
