import { idTokenOf, signOut, signOutEverywhere } from '../../commands/people/end-sessions.ts';
import type { LiveSession } from '../../db/people/use-session.ts';
import { html } from '../../pages/html.ts';
import type { DashboardContext } from '../serving/state.ts';
import type { SignInDependencies } from './sign-in-pages.ts';
import { SIGN_IN_WORDS } from './words.ts';

/**
 * The pages for signing out, also at the identity provider: otherwise the next person at this browser would be signed
 * in as the same person.
 */
export function createSignOutPages(dependencies: SignInDependencies) {
  const { database, cipher, cookies, now } = dependencies;
  const leave = createLeaving(dependencies);
  const idTokenAt = async (token: string | null) =>
    token === null ? null : idTokenOf(database.em(), cipher, token);
  return {
    /** @param session null when it has already ended */
    async signOut(ctx: DashboardContext, session: LiveSession | null): Promise<void> {
      const token = cookies.readSession(ctx);
      const idToken = await idTokenAt(token);
      if (token !== null) await signOut(database.em(), token);
      await leave(ctx, session, idToken);
    },
    async signOutEverywhere(ctx: DashboardContext, session: LiveSession): Promise<void> {
      const { personId, tenantId } = session;
      const idToken = await idTokenAt(cookies.readSession(ctx));
      if (personId !== null) {
        const context = { actor: `person:${personId}`, requestId: ctx.state.requestId, now: now() };
        await database.write((em) => signOutEverywhere(em, { personId, tenantId }, context));
      }
      await leave(ctx, session, idToken);
    },
    /** The page to which the provider sends people back. */
    signedOut(ctx: DashboardContext): void {
      const { answering } = dependencies;
      answering.plain(ctx, goodbye(SIGN_IN_WORDS[answering.languageOf(ctx)], null));
    },
  };
}

function createLeaving({ provider, cookies, answering, logger }: SignInDependencies) {
  const endSessionUrl = async (ctx: DashboardContext, idToken: string | null) => {
    try {
      return await provider.endSessionUrl(idToken);
    } catch (error) {
      logger.warn({ err: error, requestId: ctx.state.requestId }, 'sign_out.unreachable');
      return null;
    }
  };
  return async (ctx: DashboardContext, session: LiveSession | null, idToken: string | null) => {
    cookies.clearSession(ctx);
    const words = SIGN_IN_WORDS[answering.languageOf(ctx)];
    // The provider does not know the users of portal links.
    if (session?.personId === null) return answering.plain(ctx, goodbye(words, null));
    const url = await endSessionUrl(ctx, idToken);
    if (!url) return answering.plain(ctx, goodbye(words, words.signedOut.onlyHere));
    const { title, text, go } = words.leaving;
    // A header redirects, because the pages' policy does not allow forms that lead to another site.
    ctx.set('Refresh', `0; url=${url.href}`);
    const body = html`<p>${text}</p>
      <p><a class="button" href="${url.href}">${go}</a></p>`;
    answering.plain(ctx, { title, body });
  };
}

function goodbye({ signedOut, again }: (typeof SIGN_IN_WORDS)['en'], hint: string | null) {
  const body = html`<p>${hint ?? signedOut.text}</p>
    <p><a class="button" href="/sign-in">${again}</a></p>`;
  return { title: signedOut.title, body };
}
