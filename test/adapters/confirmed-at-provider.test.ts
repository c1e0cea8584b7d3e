import { createServer, type ServerResponse } from 'node:http';
import { expect, test } from '@jest/globals';
import { listenUntilDisposed } from '../../adapters/connections/listen-until-disposed.ts';
import { openIdentityProvider, type RefreshGrant } from '../../adapters/identity/identity-provider.ts';
import { forSuite } from '../support/for-suite.ts';

/** What a provider answers; nothing: it hangs up. */
interface Said {
  status: number;
  body: Record<string, unknown>;
  challenge?: string;
}

const REFRESH: RefreshGrant = { kind: 'refresh', token: 'first' };
const TOKENS: Said = {
  status: 200,
  body: { access_token: 'opaque', token_type: 'Bearer', refresh_token: 'second' },
};
const ANA: Said = { status: 200, body: { sub: 'ana', name: 'Ana', role: 'owner', org_id: 'org_clinic' } };

let answers: Record<string, Said | null>;
let withUserInfo = true;

const listening = await forSuite(
  listenUntilDisposed(createServer((request, response) => answer(request.url ?? '', response))),
);
const issuer = `http://127.0.0.1:${listening.port}`;

function answer(path: string, response: ServerResponse): void {
  const said = answers[path] === undefined ? { status: 200, body: metadata() } : answers[path];
  if (said === null) return void response.destroy();
  response.statusCode = said.status;
  response.setHeader('content-type', 'application/json');
  if ('challenge' in said && said.challenge !== undefined)
    response.setHeader('www-authenticate', said.challenge);
  response.end(JSON.stringify(said.body));
}

function metadata() {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    ...(withUserInfo && { userinfo_endpoint: `${issuer}/me` }),
  };
}

function confirm(given: Record<string, Said | null>) {
  answers = given;
  const provider = openIdentityProvider({
    issuer: new URL(issuer),
    clientId: 'dashboard',
    clientSecret: 'only-for-tests',
    callbackUrl: 'http://127.0.0.1:1/signed-in',
    signedOutUrl: 'http://127.0.0.1:1/signed-out',
    organisationClaim: 'org_id',
    roleClaim: 'role',
    supportOrganisation: null,
  });
  return provider.confirm(REFRESH, 'ana');
}

const refusal = (error: string): Said => ({ status: 400, body: { error } });
const unknownToken: Said = { status: 401, body: {}, challenge: 'Bearer error="invalid_token"' };

test('a known person is reported again, with the new refresh token', async () => {
  const known = await confirm({ '/token': TOKENS, '/me': ANA });
  expect(known).toMatchObject({
    outcome: 'known',
    identity: { issuer, subject: 'ana', role: 'owner', organisation: 'org_clinic' },
    grant: { kind: 'refresh', token: 'second' },
  });
});

test.each<[string, string, Record<string, Said | null>, RefreshGrant['token'] | null]>([
  ['took the sign-in back', 'refused', { '/token': refusal('invalid_grant') }, null],
  ['wants the person to sign in again', 'refused', { '/token': refusal('interaction_required') }, null],
  ['does not know the token it has just given', 'refused', { '/token': TOKENS, '/me': unknownToken }, null],
  ['does not know our client', 'unanswered', { '/token': refusal('invalid_client') }, 'first'],
  ['hangs up', 'unanswered', { '/token': null }, 'first'],
  ['is overloaded', 'unanswered', { '/token': { status: 503, body: {} } }, 'first'],
  [
    'falls ill after the refresh',
    'unanswered',
    { '/token': TOKENS, '/me': { status: 500, body: {} } },
    'second',
  ],
  [
    'speaks of someone else',
    'unanswered',
    { '/token': TOKENS, '/me': { status: 200, body: { sub: 'eve' } } },
    'second',
  ],
])('a provider that %s: %s', async (_, outcome, given, token) => {
  expect(await confirm(given)).toMatchObject({
    outcome,
    ...(token !== null && { grant: { kind: 'refresh', token } }),
  });
});

test('a provider that tells nothing of anyone has not answered', async () => {
  withUserInfo = false;
  expect(await confirm({ '/token': TOKENS })).toMatchObject({ outcome: 'unanswered', reason: 'no_claims' });
  withUserInfo = true;
});
