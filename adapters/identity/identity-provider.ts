import * as openid from 'openid-client';
import type { Identity } from '../../domain/people/identity.ts';

export interface IdentityProviderOptions {
  issuer: URL;
  clientId: string;
  clientSecret: string;
  /** Where the provider sends people back to. */
  callbackUrl: string;
  /** The claims that name a person's clinic and role. */
  organisationClaim: string;
  roleClaim: string;
  /** Where the service's own support comes from; null: from nowhere. */
  supportOrganisation: string | null;
}

/** What the answer to a sign-in must fit; only the browser that began it has them. */
export interface SignInChecks {
  state: string;
  nonce: string;
  codeVerifier: string;
}

/** Signs people in by OpenID Connect: authorization code with PKCE, and an ID token whose signature is verified. */
export interface IdentityProvider {
  /** Where to send the browser. Throws when the provider cannot be reached. */
  begin(): Promise<{ url: URL; checks: SignInChecks }>;
  /** Who came back. @throws SignInFailedError when the answer is not what was asked for */
  finish(answer: URL, checks: SignInChecks): Promise<Identity>;
}

/** The provider's answer is not one to a sign-in of this browser, or the provider refused. */
export class SignInFailedError extends Error {
  override readonly name = 'SignInFailedError';
}

const TIMEOUT_SECONDS = 5;
const SCOPE = 'openid profile';

/** The provider is asked for its addresses when somebody first signs in, so that it may be down before. */
export function openIdentityProvider(options: IdentityProviderOptions): IdentityProvider {
  const { callbackUrl } = options;
  let known: Promise<openid.Configuration> | null = null;
  const configuration = () => {
    known ??= discover(options).catch((error: unknown) => {
      known = null;
      throw error;
    });
    return known;
  };
  return {
    async begin() {
      const config = await configuration();
      const [state, nonce, codeVerifier] = [
        openid.randomState(),
        openid.randomNonce(),
        openid.randomPKCECodeVerifier(),
      ];
      const url = openid.buildAuthorizationUrl(config, {
        redirect_uri: callbackUrl,
        scope: SCOPE,
        state,
        nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      });
      return { url, checks: { state, nonce, codeVerifier } };
    },
    async finish(answer, checks) {
      const claims = await claimsOf(await configuration(), answer, checks);
      return toIdentity(claims, options);
    },
  };
}

function discover({ issuer, clientId, clientSecret }: IdentityProviderOptions) {
  // Only an issuer of this machine may do without TLS: the configuration has refused others.
  const insecure = issuer.protocol === 'http:' ? [openid.allowInsecureRequests] : [];
  const execute = [openid.enableNonRepudiationChecks, ...insecure];
  return openid.discovery(issuer, clientId, clientSecret, undefined, { execute, timeout: TIMEOUT_SECONDS });
}

type Claims = Record<string, unknown> & { iss: string; sub: string };

/** Those of the ID token, and what only the provider's user info says. */
async function claimsOf(
  config: openid.Configuration,
  answer: URL,
  { state, nonce, codeVerifier }: SignInChecks,
): Promise<Claims> {
  try {
    const tokens = await openid.authorizationCodeGrant(config, answer, {
      pkceCodeVerifier: codeVerifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (!claims) throw new SignInFailedError('There is no ID token');
    if (config.serverMetadata().userinfo_endpoint === undefined) return claims;
    return { ...(await openid.fetchUserInfo(config, tokens.access_token, claims.sub)), ...claims };
  } catch (error) {
    // Their messages may hold the code.
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw new SignInFailedError(`The identity provider's answer was refused (${code})`);
  }
}

function toIdentity(
  claims: Claims,
  { organisationClaim, roleClaim, supportOrganisation }: IdentityProviderOptions,
): Identity {
  const text = (name: string) => {
    const claim = claims[name];
    return typeof claim === 'string' && claim !== '' ? claim : null;
  };
  const organisation = text(organisationClaim);
  return {
    issuer: claims.iss,
    subject: claims.sub,
    name: text('name') ?? text('preferred_username') ?? claims.sub,
    organisation,
    role: text(roleClaim),
    isOfSupport: organisation !== null && organisation === supportOrganisation,
  };
}
