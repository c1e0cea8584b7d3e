import {
  SignInFailedError,
  type IdentityProvider,
  type SignInChecks,
} from '../../adapters/identity/identity-provider.ts';
import type { Logger } from '../../adapters/logs/logger.ts';
import { signIn, type SignedIn } from '../../commands/people/sign-in.ts';
import type { SecretCipher } from '../../adapters/encryption/secret-cipher.ts';
import { html } from '../../pages/html.ts';
import type { Answering } from '../serving/answering.ts';
import { homeOf } from '../layout/navigation.ts';
import type { DashboardContext } from '../serving/state.ts';
import { countSignIn, type AddressLimits, countUnknownSession } from './address-limits.ts';
import { createBegunSignIns, type BegunSignIns } from './begun-sign-ins.ts';
import type { Cookies } from './cookies.ts';
import { localAddress } from './local-address.ts';
import { visitOf } from './visit-of.ts';
import { SIGN_IN_WORDS } from './words.ts';
import { clientAddress } from '../../adapters/connections/client-address.ts';
import { findConfirmedSession } from '../../commands/people/confirmed-session.ts';
import type { LiveSession } from '../../db/people/use-session.ts';
import { hashToken } from '../../domain/people/token.ts';
import { isByScript } from '../kept-forms/ended-session.ts';

export interface SignInDependencies extends AddressLimits {
  provider: IdentityProvider;
  cipher: SecretCipher;
  cookies: Cookies;
  answering: Answering;
  /** The dashboard's public address. */
  dashboardUrl: string;
  logger: Logger;
  now: () => Date;
}

type Refusal = keyof typeof SIGN_IN_WORDS.en.refused;

/** Sign-in through the identity provider. */
export function createSignInPages(dependencies: SignInDependencies) {
  const { provider, cookies, answering, logger } = dependencies;
  const signIns = createBegunSignIns(cookies, dependencies);
  const letIn = createEntrance({ ...dependencies, signIns });
  return {
    async begin(ctx: DashboardContext): Promise<void> {
      await countSignIn(ctx, dependencies);
      try {
        const { url, checks } = await provider.begin();
        signIns.begin(ctx, checks, new URLSearchParams(ctx.querystring).get('to'));
        answering.redirect(ctx, url.href);
      } catch (error) {
        logger.warn({ err: error, requestId: ctx.state.requestId }, 'sign_in.unreachable');
        refuse(answering, ctx, 'unreachable', 503);
      }
    },
    async finish(ctx: DashboardContext): Promise<void> {
      await countSignIn(ctx, dependencies);
      const begun = signIns.find(ctx, new URLSearchParams(ctx.querystring).get('state') ?? '');
      if (!begun) return refuse(answering, ctx, 'failed', 400);
      const { checks, to } = begun;
      if (checks) return letIn(ctx, checks, to);
      const session = await sessionOf(ctx, dependencies);
      return session ? answering.redirect(ctx, localAddress(to)) : refuse(answering, ctx, 'failed', 400);
    },
  };
}

/** Signs in a person who returned from the provider, and redirects to the requested page. */
function createEntrance({ signIns, ...dependencies }: SignInDependencies & { signIns: BegunSignIns }) {
  const { cookies, answering, logger } = dependencies;
  const exchange = exchangeOnce(dependencies);
  return async (ctx: DashboardContext, checks: SignInChecks, to: string): Promise<void> => {
    const { state } = checks;
    try {
      const result = await exchange(ctx, checks);
      if (result.refused !== null) {
        signIns.fail(ctx, state);
        return refuse(answering, ctx, result.refused, 403);
      }
      // Always a new session, never an existing one, which an attacker may have planted.
      cookies.setSession(ctx, result.token);
      const asked = to === '/' ? homeOf({ role: result.role, scopes: null }) : localAddress(to);
      signIns.succeed(ctx, state, asked);
      answering.redirect(ctx, asked);
    } catch (error) {
      if (!(error instanceof SignInFailedError)) throw error;
      logger.warn({ err: error, requestId: ctx.state.requestId }, 'sign_in.failed');
      // The same callback may have succeeded in another process: then the browser already has a session.
      if (new URLSearchParams(ctx.querystring).has('code'))
        return answering.redirect(ctx, `${ctx.path}?state=${state}`);
      signIns.fail(ctx, state);
      refuse(answering, ctx, 'failed', 400);
    }
  };
}

/** Exchanges each callback once, even if a browser opens it twice at the same time: a code works only once. */
function exchangeOnce(dependencies: SignInDependencies) {
  const inFlight = new Map<string, Promise<SignedIn>>();
  return (ctx: DashboardContext, checks: SignInChecks): Promise<SignedIn> => {
    // The key is the whole query: a browser that knows only the state must not get the session of a browser that has
    // the code.
    const callback = ctx.querystring;
    const exchanging =
      inFlight.get(callback) ??
      exchangeCode(ctx, checks, dependencies).finally(() => inFlight.delete(callback));
    inFlight.set(callback, exchanging);
    return exchanging;
  };
}

async function exchangeCode(
  ctx: DashboardContext,
  checks: SignInChecks,
  { database, provider, cipher, dashboardUrl, logger, trustedHops, now }: SignInDependencies,
): Promise<SignedIn> {
  const answer = new URL(`${dashboardUrl}${ctx.path}?${ctx.querystring}`);
  const signedIn = await provider.finish(answer, checks);
  const { requestId } = ctx.state;
  const input = { ...signedIn, visit: visitOf(ctx, trustedHops) };
  const result = await database.write((em) => signIn(em, cipher, input, { requestId, now: now() }));
  if (result.refused !== null) logger.warn({ refused: result.refused, requestId }, 'sign_in.refused');
  return result;
}

function refuse(answering: Answering, ctx: DashboardContext, reason: Refusal, status: number): void {
  const { refused, again } = SIGN_IN_WORDS[answering.languageOf(ctx)];
  const { title, text } = refused[reason];
  const body = html`<p>${text}</p>
    <p><a class="button" href="/sign-in">${again}</a></p>`;
  answering.plain(ctx, { title, body, status });
}

/** The current session; null without one. Automatic refreshes do not count as use. */
export async function sessionOf(
  ctx: DashboardContext,
  dependencies: SignInDependencies,
): Promise<LiveSession | null> {
  const token = dependencies.cookies.readSession(ctx);
  if (token === null) return null;
  const session = await findConfirmedSession(dependencies, {
    tokenHash: hashToken(token),
    address: clientAddress(ctx.req, dependencies.trustedHops),
    isUse: !isRefresh(ctx),
    requestId: ctx.state.requestId,
  });
  if (!session) await countUnknownSession(ctx, dependencies);
  return session;
}

function isRefresh(ctx: DashboardContext): boolean {
  return ctx.method === 'GET' && isByScript(ctx);
}
