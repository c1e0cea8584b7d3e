import * as openid from 'openid-client';
import type { Identity } from '../../domain/people/identity.ts';
import { claimsAtSignIn, codeOf, toIdentity, type ClaimNames } from './claims.ts';
import { confirmed, grantOf, type ProviderGrant } from './provider-grant.ts';

export interface IdentityProviderOptions extends ClaimNames {
  issuer: URL;
  clientId: string;
  clientSecret: string;
  /** Where the provider sends people back to. */
  callbackUrl: string;
}

/** What the answer to a sign-in must fit; only the browser that began it has them. */
export interface SignInChecks {
  state: string;
  nonce: string;
  codeVerifier: string;
}

/** Who has signed in, and what the provider is asked with later whether they still are who they were. */
export interface SignedInIdentity {
  identity: Identity;
  /** Null: the provider gave nothing that it would answer to. */
  grant: ProviderGrant | null;
}

/** What the provider says of somebody who has signed in before; `grant` is to be asked with next time. */
export type Confirmation =
  | { outcome: 'known'; identity: Identity; grant: ProviderGrant }
  /** It knows them no longer, or took back that they are signed in. */
  | { outcome: 'refused'; reason: string }
  /** It did not answer, or not to the question. */
  | { outcome: 'unanswered'; reason: string; grant: ProviderGrant };

export type IdentityProvider = ReturnType<typeof openIdentityProvider>;

/** The provider's answer is not one to a sign-in of this browser, or the provider refused. */
export class SignInFailedError extends Error {
  override readonly name = 'SignInFailedError';
}

const TIMEOUT_SECONDS = 5;
const SCOPE = 'openid profile';
/** Asks for a refresh token, of those providers that give none unasked. */
const LASTING = 'offline_access';

/**
 * Signs people in by OpenID Connect: authorization code with PKCE, and an ID token whose signature, issuer and audience
 * openid-client verifies. The provider is asked for its addresses when somebody first signs in, so that it may be down before.
 */
export function openIdentityProvider(options: IdentityProviderOptions) {
  const configuration = discoveredOnce(options);
  return {
    /** Where to send the browser. Throws when the provider cannot be reached. */
    begin: async () => begin(await configuration(), options.callbackUrl),
    /** Who came back. @throws SignInFailedError when the answer is not what was asked for */
    finish: async (answer: URL, checks: SignInChecks): Promise<SignedInIdentity> => {
      const config = await configuration();
      try {
        const { claims, tokens } = await claimsAtSignIn(config, answer, checks);
        return { identity: toIdentity(claims, options), grant: grantOf(config, tokens) };
      } catch (error) {
        throw new SignInFailedError(`The identity provider's answer was refused (${codeOf(error)})`);
      }
    },
    /** Who somebody is now. A grant may work once only, so it is never asked twice at a time. */
    async confirm(grant: ProviderGrant, subject: string): Promise<Confirmation> {
      try {
        return await confirmed(await configuration(), grant, { subject, names: options });
      } catch (error) {
        return { outcome: 'unanswered', reason: codeOf(error), grant };
      }
    },
  };
}

function discoveredOnce(options: IdentityProviderOptions): () => Promise<openid.Configuration> {
  let known: Promise<openid.Configuration> | null = null;
  return () => {
    known ??= discover(options).catch((error: unknown) => {
      known = null;
      throw error;
    });
    return known;
  };
}

function discover({ issuer, clientId, clientSecret }: IdentityProviderOptions) {
  // Only an issuer of this machine may do without TLS: the configuration has refused others.
  const insecure = issuer.protocol === 'http:' ? [openid.allowInsecureRequests] : [];
  const execute = [openid.enableNonRepudiationChecks, ...insecure];
  return openid.discovery(issuer, clientId, clientSecret, undefined, { execute, timeout: TIMEOUT_SECONDS });
}

async function begin(config: openid.Configuration, callbackUrl: string) {
  const [state, nonce, codeVerifier] = [
    openid.randomState(),
    openid.randomNonce(),
    openid.randomPKCECodeVerifier(),
  ];
  const isLasting = config.serverMetadata().scopes_supported?.includes(LASTING) ?? false;
  const url = openid.buildAuthorizationUrl(config, {
    redirect_uri: callbackUrl,
    scope: isLasting ? `${SCOPE} ${LASTING}` : SCOPE,
    state,
    nonce,
    code_challenge: await openid.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
  });
  return { url, checks: { state, nonce, codeVerifier } };
}
