import { createLocalCa, issueServerCertificate, type LocalCa } from '../../../dev/data-directory/local-ca.ts';

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
    issue: async ({ names, addresses = [], expired = false } = {}) =>
      toIdentity(await issueServerCertificate(ca, { names, addresses, days: expired ? -1 : 1 })),
  };
}

/** A certificate that vouches for itself. */
export async function selfSignedIdentity(): Promise<ServerIdentity> {
  return toIdentity(await createLocalCa());
}

export function toIdentity({ certificatePem, keyPem }: LocalCa): ServerIdentity {
  return { cert: certificatePem, key: keyPem };
}
