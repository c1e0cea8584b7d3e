import {
  SignInFailedError,
  type IdentityProvider,
  type SignInChecks,
} from '../../adapters/identity/identity-provider.ts';
import type { Logger } from '../../adapters/logs/logger.ts';
import { signIn } from '../../commands/people/sign-in.ts';
import type { SecretCipher } from '../../adapters/encryption/secret-cipher.ts';
import { html } from '../../pages/html.ts';
import type { Answering } from '../serving/answering.ts';
import { homeOf } from '../layout/navigation.ts';
import type { DashboardContext } from '../serving/state.ts';
import { countSignIn, type AddressLimits } from './address-limits.ts';
import { createBegunSignIns } from './begun-sign-ins.ts';
import type { Cookies } from './cookies.ts';
import { localAddress } from './local-address.ts';
import { sessionOf } from './session-of.ts';
import { visitOf } from './visit-of.ts';
import { SIGN_IN_WORDS } from './words.ts';

export interface SignInDependencies extends AddressLimits {
  provider: IdentityProvider;
  cipher: SecretCipher;
  cookies: Cookies;
  answering: Answering;
  /** Where people reach the dashboard. */
  dashboardUrl: string;
  logger: Logger;
  now: () => Date;
}

type Refusal = keyof typeof SIGN_IN_WORDS.en.refused;

/** The way in, by the identity provider. */
export function createSignInPages(dependencies: SignInDependencies) {
  const { provider, cookies, answering, logger } = dependencies;
  const signIns = createBegunSignIns(cookies, dependencies);
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
      const state = new URLSearchParams(ctx.querystring).get('state') ?? '';
      const begun = signIns.find(ctx, state);
      if (!begun) return refuse(answering, ctx, 'failed', 400);
      const { checks, to } = begun;
      if (!checks) {
        const session = await sessionOf(ctx, dependencies);
        return session ? answering.redirect(ctx, localAddress(to)) : refuse(answering, ctx, 'failed', 400);
      }
      try {
        const first = await letIn(ctx, checks, dependencies);
        if (first === null) return signIns.fail(ctx, state);
        const asked = to === '/' ? first : localAddress(to);
        signIns.succeed(ctx, state, asked);
        answering.redirect(ctx, asked);
      } catch (error) {
        if (!(error instanceof SignInFailedError)) throw error;
        logger.warn({ err: error, requestId: ctx.state.requestId }, 'sign_in.failed');
        signIns.fail(ctx, state);
        refuse(answering, ctx, 'failed', 400);
      }
    },
  };
}

/** The first page of whoever has signed in; null when they were refused. */
async function letIn(
  ctx: DashboardContext,
  checks: SignInChecks,
  { database, provider, cipher, cookies, answering, dashboardUrl, logger, ...rest }: SignInDependencies,
): Promise<string | null> {
  const answer = new URL(`${dashboardUrl}${ctx.path}?${ctx.querystring}`);
  const signedIn = await provider.finish(answer, checks);
  const { requestId } = ctx.state;
  const input = { ...signedIn, visit: visitOf(ctx, rest.trustedHops) };
  const context = { requestId, now: rest.now() };
  const result = await database.write((em) => signIn(em, cipher, input, context));
  if (result.refused !== null) {
    logger.warn({ refused: result.refused, requestId }, 'sign_in.refused');
    refuse(answering, ctx, result.refused, 403);
    return null;
  }
  // Never one that was there before: whoever planted it would share it.
  cookies.setSession(ctx, result.token);
  return homeOf({ role: result.role, scopes: null });
}

function refuse(answering: Answering, ctx: DashboardContext, reason: Refusal, status: number): void {
  const { refused, again } = SIGN_IN_WORDS[answering.languageOf(ctx)];
  const { title, text } = refused[reason];
  const body = html`<p>${text}</p>
    <p><a class="button" href="/sign-in">${again}</a></p>`;
  answering.plain(ctx, { title, body, status });
}
