import { SignInFailedError, type IdentityProvider } from '../../adapters/identity/identity-provider.ts';
import type { Logger } from '../../adapters/logs/logger.ts';
import { signIn } from '../../commands/people/sign-in.ts';
import type { SecretCipher } from '../../adapters/encryption/secret-cipher.ts';
import type { Database } from '../../db/connection/open-database.ts';
import { html } from '../../pages/html.ts';
import type { Answering } from '../serving/answering.ts';
import { homeOf } from '../layout/navigation.ts';
import type { DashboardContext } from '../serving/state.ts';
import type { BegunSignIn, Cookies } from './cookies.ts';
import { localAddress } from './local-address.ts';
import { visitOf } from './visit-of.ts';
import { SIGN_IN_WORDS } from './words.ts';

export interface SignInDependencies {
  database: Database;
  provider: IdentityProvider;
  cipher: SecretCipher;
  /** TRUSTED_PROXY_HOPS */
  trustedHops: number;
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
  return {
    async begin(ctx: DashboardContext): Promise<void> {
      try {
        const { url, checks } = await provider.begin();
        cookies.setSignIn(ctx, { checks, to: localAddress(new URLSearchParams(ctx.querystring).get('to')) });
        answering.redirect(ctx, url.href);
      } catch (error) {
        logger.warn({ err: error, requestId: ctx.state.requestId }, 'sign_in.unreachable');
        refuse(answering, ctx, 'unreachable', 503);
      }
    },
    async finish(ctx: DashboardContext): Promise<void> {
      const begun = cookies.takeSignIn(ctx);
      if (!begun) return refuse(answering, ctx, 'failed', 400);
      try {
        await letIn(ctx, begun, dependencies);
      } catch (error) {
        if (!(error instanceof SignInFailedError)) throw error;
        logger.warn({ err: error, requestId: ctx.state.requestId }, 'sign_in.failed');
        refuse(answering, ctx, 'failed', 400);
      }
    },
  };
}

async function letIn(
  ctx: DashboardContext,
  { checks, to }: BegunSignIn,
  { database, provider, cipher, cookies, answering, dashboardUrl, logger, ...rest }: SignInDependencies,
): Promise<void> {
  const answer = new URL(`${dashboardUrl}${ctx.path}?${ctx.querystring}`);
  const signedIn = await provider.finish(answer, checks);
  const { requestId } = ctx.state;
  const input = { ...signedIn, visit: visitOf(ctx, rest.trustedHops) };
  const context = { requestId, now: rest.now() };
  const result = await database.write((em) => signIn(em, cipher, input, context));
  if (result.refused !== null) {
    logger.warn({ refused: result.refused, requestId }, 'sign_in.refused');
    return refuse(answering, ctx, result.refused, 403);
  }
  // Never one that was there before: whoever planted it would share it.
  cookies.setSession(ctx, result.token);
  answering.redirect(ctx, to === '/' ? homeOf({ role: result.role, scopes: null }) : localAddress(to));
}

function refuse(answering: Answering, ctx: DashboardContext, reason: Refusal, status: number): void {
  const { refused, again } = SIGN_IN_WORDS[answering.languageOf(ctx)];
  const { title, text } = refused[reason];
  const body = html`<p>${text}</p>
    <p><a class="button" href="/sign-in">${again}</a></p>`;
  answering.plain(ctx, { title, body, status });
}
