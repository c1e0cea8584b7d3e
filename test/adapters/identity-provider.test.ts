import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { createServer } from 'node:http';
import { expect, test } from '@jest/globals';
import { listenUntilDisposed } from '../../adapters/connections/listen-until-disposed.ts';
import { openIdentityProvider, SignInFailedError } from '../../adapters/identity/identity-provider.ts';
import { forSuite } from '../support/for-suite.ts';

const CALLBACK = 'http://127.0.0.1:1/signed-in';
const SIGNED_OUT = 'http://127.0.0.1:1/signed-out';

/** What the provider says of anyone who signs in next, and how it signs that. */
let claims: Record<string, unknown>;
let signer: KeyObject | null;
let endsSessions = true;
const [ours, foreign] = [anRsaKey(), anRsaKey()];

function anRsaKey() {
  return generateKeyPairSync('rsa', { modulusLength: 2048 });
}

const server = createServer((request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(answerTo(request.url ?? '')));
});
const listening = await forSuite(listenUntilDisposed(server));
const issuer = `http://127.0.0.1:${listening.port}`;

function answerTo(path: string): unknown {
  if (path === '/jwks') {
    return { keys: [{ ...ours.publicKey.export({ format: 'jwk' }), kid: 'ours', alg: 'RS256', use: 'sig' }] };
  }
  if (path === '/token') return { access_token: 'opaque', token_type: 'Bearer', id_token: idToken() };
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    ...(endsSessions && { end_session_endpoint: `${issuer}/out` }),
  };
}

function idToken(): string {
  const now = Math.floor(Date.now() / 1000);
  const header = { alg: signer === null ? 'none' : 'RS256', kid: 'ours' };
  const body = { iss: issuer, aud: 'dashboard', sub: 'ana', iat: now, exp: now + 60, ...claims };
  const signed = [header, body]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const signature = signer === null ? '' : sign('sha256', Buffer.from(signed), signer).toString('base64url');
  return `${signed}.${signature}`;
}

const OPTIONS = {
  clientId: 'dashboard',
  clientSecret: 'only-for-tests',
  callbackUrl: CALLBACK,
  signedOutUrl: SIGNED_OUT,
  organisationClaim: 'org_id',
  roleClaim: 'role',
};

/** Someone signs in of whom the provider says this. */
async function signedIn(
  given: Record<string, unknown>,
  key: KeyObject | null,
  supportOrganisation = 'org_us',
) {
  const provider = openIdentityProvider({ ...OPTIONS, issuer: new URL(issuer), supportOrganisation });
  const { checks } = await provider.begin();
  claims = { ...given, nonce: checks.nonce };
  signer = key;
  const { identity } = await provider.finish(new URL(`${CALLBACK}?code=once&state=${checks.state}`), checks);
  return identity;
}

test('support is who comes from the organisation that was named for it, and no one else', async () => {
  const sofia = await signedIn({ role: 'support', org_id: 'org_us' }, ours.privateKey);
  expect(sofia).toMatchObject({ subject: 'ana', role: 'support', organisation: 'org_us', isOfSupport: true });
  for (const claimed of [{ org_id: 'org_clinic' }, {}, { org_id: '' }]) {
    const other = await signedIn({ role: 'support', ...claimed }, ours.privateKey);
    expect(other.isOfSupport).toBe(false);
  }
});

test.each([
  [['owner'], 'owner'],
  [['owner', 'viewer'], null],
  ['owner', 'owner'],
])('the claim %j is the role %s', async (role, read) => {
  expect(await signedIn({ role, org_id: 'org_clinic' }, ours.privateKey)).toMatchObject({ role: read });
});

test('an organisation may come as a list of one', async () => {
  const named = await signedIn({ role: 'owner', org_id: ['org_clinic'] }, ours.privateKey);
  expect(named).toMatchObject({ organisation: 'org_clinic' });
  const both = await signedIn({ role: 'owner', org_id: ['org_clinic', 'org_us'] }, ours.privateKey);
  expect(both).toMatchObject({ organisation: null, isOfSupport: false });
});

test('an ID token that the provider has not signed is refused, no matter who sent it', async () => {
  for (const key of [foreign.privateKey, null]) {
    await expect(signedIn({ role: 'owner', org_id: 'org_clinic' }, key)).rejects.toThrow(SignInFailedError);
  }
});

test('a browser signs out where the provider says, with the ID token if an address can hold it', async () => {
  const options = { ...OPTIONS, issuer: new URL(issuer), supportOrganisation: null };
  const provider = openIdentityProvider(options);
  const asked = { client_id: 'dashboard', post_logout_redirect_uri: SIGNED_OUT };
  for (const [idToken, hint] of [
    ['short', { id_token_hint: 'short' }],
    ['x'.repeat(5000), {}],
    [null, {}],
  ] as const) {
    const url = await provider.endSessionUrl(idToken);
    expect(url?.href).toContain(`${issuer}/out?`);
    expect(Object.fromEntries(url?.searchParams ?? [])).toEqual({ ...asked, ...hint });
  }
  endsSessions = false;
  expect(await openIdentityProvider(options).endSessionUrl('short')).toBeNull();
  endsSessions = true;
});
