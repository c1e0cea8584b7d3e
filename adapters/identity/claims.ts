import * as openid from 'openid-client';
import type { Identity } from '../../domain/people/identity.ts';
import type { SignInChecks } from './identity-provider.ts';

/** The claims that name a person's clinic and role. */
export interface ClaimNames {
  organisationClaim: string;
  roleClaim: string;
  /** Where the service's own support comes from; null: from nowhere. */
  supportOrganisation: string | null;
}

export type Tokens = openid.TokenEndpointResponse & openid.TokenEndpointResponseHelpers;
export type Claims = Record<string, unknown> & { iss: string; sub: string };

/** Those of the ID token, and what only the provider's user info says. */
export async function claimsAtSignIn(
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
  if (!claims) throw new TypeError('There is no ID token');
  if (!hasUserInfo(config)) return { claims, tokens };
  const more = await openid.fetchUserInfo(config, tokens.access_token, claims.sub);
  return { claims: { ...more, ...claims }, tokens };
}

export function hasUserInfo(config: openid.Configuration): boolean {
  return config.serverMetadata().userinfo_endpoint !== undefined;
}

export function toIdentity(
  claims: Claims,
  { organisationClaim, roleClaim, supportOrganisation }: ClaimNames,
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

/** What may be said of a failure: messages of the provider's answers may hold what opens something. */
export function codeOf(error: unknown): string {
  if (error instanceof openid.ResponseBodyError) return error.error;
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}
