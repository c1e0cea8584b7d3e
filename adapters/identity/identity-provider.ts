import * as openid from 'openid-client';
import { z } from 'zod';
import type { Identity } from '../../domain/people/identity.ts';

export interface IdentityProviderOptions extends ClaimNames {
  issuer: URL;
  clientId: string;
  clientSecret: string;
  /** Where the provider sends people back to: after a sign-in, and after a sign-out. */
  callbackUrl: string;
  signedOutUrl: string;
}

/** The values that the provider's answer must match; only the browser that started the sign-in has them. */
export interface SignInChecks {
  state: string;
  nonce: string;
  codeVerifier: string;
}

/** The person who has signed in, and the data with which the provider can be asked again later. */
export interface SignedInIdentity {
  identity: Identity;
  grant: ProviderGrant;
}

/** The provider's answer about an earlier sign-in; `grant` is for the next question. */
export type Confirmation =
  | { outcome: 'known'; identity: Identity; grant: RefreshGrant }
  /** The person is unknown or was signed out. */
  | { outcome: 'refused'; reason: string }
  /** No answer, or an unusable one. */
  | { outcome: 'unanswered'; reason: string; grant: RefreshGrant };

export type IdentityProvider = ReturnType<typeof openIdentityProvider>;

/** The answer does not belong to a sign-in of this browser, or the provider refused. */
export class SignInFailedError extends Error {
  override readonly name = 'SignInFailedError';
}

const TIMEOUT_SECONDS = 5;
const SCOPE = 'openid profile';
/** Requests a refresh token from providers that need this scope. */
const LASTING = 'offline_access';

/**
 * OpenID Connect sign-in: authorization code with PKCE, and an ID token whose signature, issuer and audience
 * openid-client verifies. Discovery runs at the first sign-in, so the provider need not be available before.
 */
export function openIdentityProvider(options: IdentityProviderOptions) {
  const configuration = discoveredOnce(options);
  return {
    /** The address to which the browser is sent to sign in. Throws when the provider is unreachable. */
    begin: async () => begin(await configuration(), options.callbackUrl),
    /** The person who signed in. @throws SignInFailedError when the answer is invalid */
    finish: async (answer: URL, checks: SignInChecks): Promise<SignedInIdentity> => {
      const config = await configuration();
      try {
        const { claims, tokens } = await claimsAtSignIn(config, answer, checks);
        return { identity: toIdentity(claims, options), grant: grantOf(tokens) };
      } catch (error) {
        throw new SignInFailedError(`The identity provider's response is not valid (${codeOf(error)})`);
      }
    },
    /** The person's current state. A grant may work only once, so never use it in two calls at the same time. */
    async confirm(grant: RefreshGrant, subject: string): Promise<Confirmation> {
      try {
        return await confirmed(await configuration(), grant, { subject, names: options });
      } catch (error) {
        return { outcome: 'unanswered', reason: codeOf(error), grant };
      }
    },
    /**
     * Where a browser signs out of the provider too (OpenID Connect RP-Initiated Logout 1.0); null when the provider
     * has no such address. Throws when the provider cannot be reached. @param idToken the ID token of the sign-in, null
     * when it is not known
     */
    endSessionUrl: async (idToken: string | null): Promise<URL | null> =>
      endSessionUrl(await configuration(), { idToken, returnTo: options.signedOutUrl }),
  };
}

/**
 * The longest ID token that is sent as a hint, because servers refuse addresses that are much longer. Without the hint
 * the provider may ask the person first.
 */
const LONGEST_HINT = 4096;

function endSessionUrl(
  config: openid.Configuration,
  { idToken, returnTo }: { idToken: string | null; returnTo: string },
): URL | null {
  if (config.serverMetadata().end_session_endpoint === undefined) return null;
  const isShort = idToken !== null && idToken.length <= LONGEST_HINT;
  return openid.buildEndSessionUrl(config, {
    post_logout_redirect_uri: returnTo,
    ...(isShort && { id_token_hint: idToken }),
  });
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
  // Only a local issuer may use plain http: the configuration refuses others.
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

/** The claims with a person's clinic and role. */
interface ClaimNames {
  organisationClaim: string;
  roleClaim: string;
  /** The organisation of our support staff; null when there is none. */
  supportOrganisation: string | null;
}

type Tokens = openid.TokenEndpointResponse & openid.TokenEndpointResponseHelpers;
type Claims = Record<string, unknown> & { iss: string; sub: string };

/** The claims of the ID token and, if needed, of the user info endpoint. */
async function claimsAtSignIn(
  config: openid.Configuration,
  answer: URL,
  { state, nonce, codeVerifier }: SignInChecks,
): Promise<{ claims: Claims; tokens: Tokens }> {
  const tokens = await openid.authorizationCodeGrant(config, answer, {
    pkceCodeVerifier: codeVerifier,
    expectedState: state,
    expectedNonce: nonce,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (!claims) throw new TypeError('The identity provider’s response has no ID token');
  if (!hasUserInfo(config)) return { claims, tokens };
  const more = await openid.fetchUserInfo(config, tokens.access_token, claims.sub);
  return { claims: { ...more, ...claims }, tokens };
}

function hasUserInfo(config: openid.Configuration): boolean {
  return config.serverMetadata().userinfo_endpoint !== undefined;
}

function toIdentity(
  claims: Claims,
  { organisationClaim, roleClaim, supportOrganisation }: ClaimNames,
): Identity {
  const text = (name: string) => {
    const given = claims[name];
    // Some providers send every claim as a list.
    const claim: unknown = Array.isArray(given) && given.length === 1 ? given[0] : given;
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

/** The code of a failure, not its message: messages from the provider may contain secrets. */
function codeOf(error: unknown): string {
  if (error instanceof openid.ResponseBodyError) return error.error;
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}

const refreshGrantSchema = z.object({
  kind: z.literal('refresh'),
  token: z.string(),
  /** Missing in sessions of an earlier version. */
  idToken: z.string().optional(),
});
/**
 * What a session keeps for the provider: the refresh token to ask again, and the ID token that names the session when
 * signing out.
 */
export const providerGrantSchema = z.discriminatedUnion('kind', [
  refreshGrantSchema,
  // `access` is of sessions of an earlier version.
  z.object({ kind: z.enum(['none', 'access']), idToken: z.string().optional() }),
]);
export type RefreshGrant = z.infer<typeof refreshGrantSchema>;
export type ProviderGrant = z.infer<typeof providerGrantSchema>;

/**
 * Errors of the token endpoint when the person is no longer signed in, or must sign in again (RFC 6749 §5.2, OpenID
 * Connect Core §3.1.2.6).
 */
const NO_LONGER = [
  'invalid_grant',
  'access_denied',
  'login_required',
  'interaction_required',
  'consent_required',
];

function grantOf({ refresh_token: token, id_token }: Tokens): ProviderGrant {
  const idToken = id_token === undefined ? {} : { idToken: id_token };
  return token === undefined ? { kind: 'none', ...idToken } : { kind: 'refresh', token, ...idToken };
}

/** Asks the provider about the person. Refreshes the tokens first, because some providers update claims only then. */
async function confirmed(
  config: openid.Configuration,
  grant: RefreshGrant,
  asked: { subject: string; names: ClaimNames },
): Promise<Confirmation> {
  let tokens: Tokens;
  try {
    tokens = await openid.refreshTokenGrant(config, grant.token);
  } catch (error) {
    const reason = codeOf(error);
    return NO_LONGER.includes(reason)
      ? { outcome: 'refused', reason }
      : { outcome: 'unanswered', reason, grant };
  }
  const { access_token: accessToken, refresh_token: token = grant.token, id_token } = tokens;
  const idToken = id_token ?? grant.idToken;
  const next: RefreshGrant = { kind: 'refresh', token, ...(idToken !== undefined && { idToken }) };
  return identified(config, next, { ...asked, accessToken, idToken: tokens.claims() ?? {} });
}

interface Asked {
  subject: string;
  names: ClaimNames;
  accessToken: string;
  /** The claims of the ID token in the same response. */
  idToken: Record<string, unknown>;
}

async function identified(
  config: openid.Configuration,
  grant: RefreshGrant,
  { subject, names, accessToken, idToken }: Asked,
): Promise<Confirmation> {
  const { issuer: iss } = config.serverMetadata();
  if ((idToken['sub'] ?? subject) !== subject) return { outcome: 'refused', reason: 'another_subject' };
  if (!hasUserInfo(config) && idToken['sub'] === undefined)
    return { outcome: 'unanswered', reason: 'no_claims', grant };
  try {
    const more = hasUserInfo(config) ? await openid.fetchUserInfo(config, accessToken, subject) : {};
    const identity = toIdentity({ iss, sub: subject, ...more, ...idToken }, names);
    return { outcome: 'known', identity, grant };
  } catch (error) {
    const reason = codeOf(error);
    const isRefused = error instanceof openid.WWWAuthenticateChallengeError && error.status === 401;
    return isRefused ? { outcome: 'refused', reason } : { outcome: 'unanswered', reason, grant };
  }
}
