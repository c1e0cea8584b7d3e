import * as openid from 'openid-client';
import { z } from 'zod';
import { codeOf, hasUserInfo, toIdentity, type ClaimNames, type Tokens } from './claims.ts';
import type { Confirmation } from './identity-provider.ts';

/** A refresh token, else an access token as long as that is good; one alone, so that no more is kept than is needed. */
export const providerGrantSchema = z.object({ kind: z.enum(['refresh', 'access']), token: z.string() });
export type ProviderGrant = z.infer<typeof providerGrantSchema>;

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
export async function confirmed(
  config: openid.Configuration,
  grant: ProviderGrant,
  asked: { subject: string; names: ClaimNames },
): Promise<Confirmation> {
  if (grant.kind === 'access') return identified(config, grant, { ...asked, accessToken: grant.token });
  let tokens: Tokens;
  try {
    tokens = await openid.refreshTokenGrant(config, grant.token);
  } catch (error) {
    const reason = codeOf(error);
    return NO_LONGER.includes(reason)
      ? { outcome: 'refused', reason }
      : { outcome: 'unanswered', reason, grant };
  }
  const next = { kind: 'refresh', token: tokens.refresh_token ?? grant.token } as const;
  const { access_token: accessToken } = tokens;
  return identified(config, next, { ...asked, accessToken, idToken: tokens.claims() ?? {} });
}

interface Asked {
  subject: string;
  names: ClaimNames;
  accessToken: string;
  /** Claims of the ID token that came with it. */
  idToken?: Record<string, unknown>;
}

async function identified(
  config: openid.Configuration,
  grant: ProviderGrant,
  { subject, names, accessToken, idToken = {} }: Asked,
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
