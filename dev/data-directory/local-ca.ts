// @peculiar/x509 needs this loaded first.
import 'reflect-metadata';
import { randomBytes, webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import { readTextIfPresent, writeWhole } from './private-file.ts';

const SIGNING = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY_MS = 86_400_000;
const CA_DAYS = 3_650;
const CERTIFICATE_DAYS = 365;
/** A CA that expires within this time is replaced, so that certificates do not outlive it. */
const RENEW_BEFORE_DAYS = 400;

export type LocalCa = { certificatePem: string; keyPem: string };

/** A certificate authority for local receivers, so that TLS is always verified, in development too. */
export async function keepLocalCa(certificatePath: string, keyPath: string): Promise<LocalCa> {
  const [certificatePem, keyPem] = [readTextIfPresent(certificatePath), readTextIfPresent(keyPath)];
  if (certificatePem !== null && keyPem !== null && isLastingEnough(certificatePem))
    return { certificatePem, keyPem };
  const made = await createLocalCa();
  writeWhole(keyPath, made.keyPem, 0o600);
  writeWhole(certificatePath, made.certificatePem, 0o644);
  return made;
}

export async function createLocalCa(): Promise<LocalCa> {
  const keys = await webcrypto.subtle.generateKey(SIGNING, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    name: 'CN=Clinic appointments local CA',
    ...validFor(CA_DAYS),
    signingAlgorithm: SIGNING,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certificatePem: pem(certificate), keyPem: await exportKey(keys.privateKey) };
}

/** A server certificate, for this machine by default. */
export async function issueServerCertificate(
  ca: LocalCa,
  {
    names = ['localhost'],
    addresses = ['127.0.0.1', '::1'],
    days = CERTIFICATE_DAYS,
    keyAlgorithm = SIGNING,
  }: {
    names?: string[];
    addresses?: string[];
    days?: number;
    keyAlgorithm?: webcrypto.EcKeyGenParams | webcrypto.RsaHashedKeyGenParams;
  } = {},
): Promise<LocalCa> {
  const keys = await webcrypto.subtle.generateKey(keyAlgorithm, true, ['sign', 'verify']);
  const authority = new x509.X509Certificate(ca.certificatePem);
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    subject: 'CN=localhost',
    issuer: authority.subject,
    ...validFor(days),
    signingAlgorithm: SIGNING,
    publicKey: keys.publicKey,
    signingKey: await importKey(ca.keyPem),
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension([
        ...names.map((value) => ({ type: 'dns' as const, value })),
        ...addresses.map((value) => ({ type: 'ip' as const, value })),
      ]),
      await x509.AuthorityKeyIdentifierExtension.create(authority),
    ],
  });
  return { certificatePem: pem(certificate), keyPem: await exportKey(keys.privateKey) };
}

function isLastingEnough(certificatePem: string): boolean {
  return (
    new x509.X509Certificate(certificatePem).notAfter.getTime() > Date.now() + RENEW_BEFORE_DAYS * DAY_MS
  );
}

function validFor(days: number): { notBefore: Date; notAfter: Date } {
  // One hour back, for receivers whose clock is slow.
  return { notBefore: new Date(Date.now() - 3_600_000), notAfter: new Date(Date.now() + days * DAY_MS) };
}

function serialNumber(): string {
  // A leading 01 makes the number positive without a leading zero, as RFC 5280 section 4.1.2.2 requires.
  return `01${randomBytes(15).toString('hex')}`;
}

function pem(certificate: x509.X509Certificate): string {
  return `${certificate.toString('pem')}\n`;
}

async function exportKey(key: webcrypto.CryptoKey): Promise<string> {
  const der = await webcrypto.subtle.exportKey('pkcs8', key);
  return `${x509.PemConverter.encode(der, 'PRIVATE KEY')}\n`;
}

function importKey(keyPem: string): Promise<webcrypto.CryptoKey> {
  const der = x509.PemConverter.decodeFirst(keyPem);
  return webcrypto.subtle.importKey('pkcs8', der, SIGNING, false, ['sign']);
}
