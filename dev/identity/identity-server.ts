import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { interactionPolicy, Provider, type Configuration, type KoaContextWithOIDC } from 'oidc-provider';
import { listenUntilDisposed } from '../../adapters/connections/listen-until-disposed.ts';
import { html, trusted, type Html } from '../../pages/html.ts';
import { DEMO_PEOPLE, SUPPORT_ORGANISATION, type LocalPerson } from './demo-people.ts';

export interface IdentityServerOptions {
  port: number;
  clientId: string;
  clientSecret: string;
  /** The addresses to which people are sent back after a sign-in and after a sign-out. */
  callbackUrl: string;
  signedOutUrl: string;
  /** The organisation of all demo people except support. */
  organisation: string;
  /** The people who can sign in; those of the demo by default. */
  people?: () => readonly LocalPerson[];
  /**
   * Lets the provider behave like other providers. By default it asks each time who someone is, and gives refresh
   * tokens.
   */
  habits?: () => ProviderHabits;
}

export interface ProviderHabits {
  /** Whether someone who has signed in is asked again before they sign out. */
  remembersPeople: boolean;
  givesRefreshTokens: boolean;
}

/** The habits of the local provider: people at this machine may want to sign in as someone else. */
export const LOCAL_HABITS: ProviderHabits = { remembersPeople: false, givesRefreshTokens: true };

/** The lifetime of tokens: a day without signing in again. */
const TOKENS_LIVE_SECONDS = 86_400;

/** A real OpenID Connect provider for this machine only, without passwords. */
export function startIdentityServer(options: IdentityServerOptions): Promise<AsyncDisposable> {
  return listenUntilDisposed(createServer(identityListener(options)), { port: options.port });
}

/** The server's request handler. */
export function identityListener(options: IdentityServerOptions): RequestListener {
  const { port, people = () => DEMO_PEOPLE, habits = () => LOCAL_HABITS } = options;
  const provider = new Provider(`http://127.0.0.1:${port}`, configurationOf({ ...options, people, habits }));
  const serveProtocol = provider.callback();
  return (request, response) => {
    const uid = /^\/interaction\/([\w-]+)/.exec(request.url ?? '')?.[1];
    if (uid === undefined) return void serveProtocol(request, response);
    choosePerson(provider, people(), { request, response }).catch(() => response.writeHead(400).end());
  };
}

function configurationOf(options: Required<IdentityServerOptions>): Configuration {
  const { clientId, clientSecret, callbackUrl, signedOutUrl, habits } = options;
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [callbackUrl],
        post_logout_redirect_uris: [signedOutUrl],
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
    cookies: { keys: [randomBytes(32).toString('hex')] },
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'local', alg: 'RS256', use: 'sig' }] },
    claims: { openid: ['sub', 'org_id', 'role'], profile: ['name'] },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { logoutSource: (ctx, form) => void (ctx.body = String(signOutPage(form))) },
    },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}`, policy: askEachTime(habits) },
    pkce: { required: () => true },
    findAccount: (_ctx, id) => accountOf(id, options),
    loadExistingGrant: grantToClient,
    issueRefreshToken: async () => habits().givesRefreshTokens,
    // Another person may sign in with the same browser meanwhile.
    expiresWithSession: async () => false,
    rotateRefreshToken: true,
    ttl: {
      Session: 600,
      Grant: TOKENS_LIVE_SECONDS,
      RefreshToken: TOKENS_LIVE_SECONDS,
      Interaction: 600,
      AccessToken: 600,
      IdToken: 600,
    },
  };
}

function accountOf(id: string, { organisation, people }: Required<IdentityServerOptions>) {
  const person = people().find((each) => each.id === id);
  if (!person) return undefined;
  const { name, role } = person;
  const claims = { sub: id, name, role, org_id: role === 'support' ? SUPPORT_ORGANISATION : organisation };
  return { accountId: id, claims: () => claims };
}

/** Skips the consent page. */
async function grantToClient({ oidc }: KoaContextWithOIDC) {
  const grant = new oidc.provider.Grant({
    clientId: oidc.client?.clientId,
    accountId: oidc.session?.accountId,
  });
  grant.addOIDCScope('openid profile');
  await grant.save();
  return grant;
}

function askEachTime(habits: () => ProviderHabits) {
  const policy = interactionPolicy.base();
  const { Check } = interactionPolicy;
  policy
    .get('login')
    ?.checks.add(
      new Check('somebody', 'Who is it this time?', ({ oidc }) =>
        oidc.result?.login === undefined && !habits().remembersPeople
          ? Check.REQUEST_PROMPT
          : Check.NO_NEED_TO_PROMPT,
      ),
    );
  return policy;
}

async function choosePerson(
  provider: Provider,
  people: readonly LocalPerson[],
  { request, response }: { request: IncomingMessage; response: ServerResponse },
): Promise<void> {
  await provider.interactionDetails(request, response);
  const id = new URL(request.url ?? '', 'http://localhost').searchParams.get('person');
  const person = people.find((each) => each.id === id);
  if (person)
    return provider.interactionFinished(request, response, {
      login: { accountId: person.id, remember: false },
    });
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.end(String(peoplePage(people)));
}

function peoplePage(people: readonly LocalPerson[]): Html {
  return page(
    'Who are you?',
    html`<p>Sign-in of this machine: anyone of the demo, without a password.</p>
      <ul>
        ${people.map(({ id, name, role }) => html`<li><a href="?person=${id}">${name}</a>, ${role}</li>`)}
      </ul>`,
  );
}

/** The page that signs out at once; without scripts it has a button. @param form the form that the library creates */
function signOutPage(form: string): Html {
  return page(
    'Sign out',
    html`${trusted(form)}
      <button id="out" form="op.logoutForm" name="logout" value="yes">Sign out</button>
      <script>
        document.getElementById('out').click();
      </script>`,
  );
}

function page(title: string, body: Html): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${body}
        </main>
      </body>
    </html>`;
}
