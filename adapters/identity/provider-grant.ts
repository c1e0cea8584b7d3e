import * as openid from 'openid-client';
import { z } from 'zod';
import { codeOf, hasUserInfo, type Claims, type Tokens } from './claims.ts';

/** A refresh token, else an access token as long as that is good; one alone, so that no more is kept than is needed. */
export const providerGrantSchema = z.object({ kind: z.enum(['refresh', 'access']), token: z.string() });
export type ProviderGrant = z.infer<typeof providerGrantSchema>;

export type RenewedClaims =
  | { outcome: 'known'; claims: Claims; grant: ProviderGrant }
  | { outcome: 'refused'; reason: string }
  | { outcome: 'unanswered'; reason: string; grant: ProviderGrant };

/** What a token endpoint says of somebody who is no longer signed in, or must be asked anew (RFC 6749 §5.2, OpenID Connect Core §3.1.2.6). */
const NO_LONGER = [
  'invalid_grant',
  'access_denied',
  'login_required',
  'interaction_required',
  'consent_required',
];

/** Null: the provider would not tell who somebody is. */
export function grantOf(config: openid.Configuration, tokens: Tokens): ProviderGrant | null {
  if (tokens.refresh_token !== undefined) return { kind: 'refresh', token: tokens.refresh_token };
  return hasUserInfo(config) ? { kind: 'access', token: tokens.access_token } : null;
}

/** A refresh comes first: some providers work claims out anew only then. */
export async function renewedClaims(
  config: openid.Configuration,
  grant: ProviderGrant,
  subject: string,
): Promise<RenewedClaims> {
  if (grant.kind === 'access') return claimsOf(config, grant, { subject, accessToken: grant.token });
  const { tokens, ended } = await refreshed(config, grant);
  if (!tokens) return ended;
  const next = tokens.refresh_token ?? grant.token;
  const idToken = tokens.claims() ?? {};
  return claimsOf(
    config,
    { kind: 'refresh', token: next },
    { subject, accessToken: tokens.access_token, idToken },
  );
}

type Refreshed = { tokens: Tokens; ended: null } | { tokens: null; ended: RenewedClaims };

async function refreshed(config: openid.Configuration, grant: ProviderGrant): Promise<Refreshed> {
  try {
    return { tokens: await openid.refreshTokenGrant(config, grant.token), ended: null };
  } catch (error) {
    const reason = codeOf(error);
    if (NO_LONGER.includes(reason)) return { tokens: null, ended: { outcome: 'refused', reason } };
    return { tokens: null, ended: { outcome: 'unanswered', reason, grant } };
  }
}

interface Asked {
  subject: string;
  accessToken: string;
  /** Claims of the ID token that came with it. */
  idToken?: Record<string, unknown>;
}

async function claimsOf(
  config: openid.Configuration,
  grant: ProviderGrant,
  { subject, accessToken, idToken = {} }: Asked,
): Promise<RenewedClaims> {
  const { issuer: iss } = config.serverMetadata();
  if ((idToken['sub'] ?? subject) !== subject) return { outcome: 'refused', reason: 'another_subject' };
  if (!hasUserInfo(config) && idToken['sub'] === undefined)
    return { outcome: 'unanswered', reason: 'no_claims', grant };
  try {
    const more = hasUserInfo(config) ? await openid.fetchUserInfo(config, accessToken, subject) : {};
    return { outcome: 'known', claims: { iss, sub: subject, ...more, ...idToken }, grant };
  } catch (error) {
    const reason = codeOf(error);
    const isRefused = error instanceof openid.WWWAuthenticateChallengeError && error.status === 401;
    return isRefused ? { outcome: 'refused', reason } : { outcome: 'unanswered', reason, grant };
  }
}
