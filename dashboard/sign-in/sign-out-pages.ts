import { signOut, signOutEverywhere } from '../../commands/people/end-sessions.ts';
import type { LiveSession } from '../../db/people/use-session.ts';
import { html } from '../../pages/html.ts';
import type { DashboardContext } from '../serving/state.ts';
import type { SignInDependencies } from './sign-in-pages.ts';
import { SIGN_IN_WORDS } from './words.ts';

/** The way out. */
export function createSignOutPages({ database, cookies, answering, now }: SignInDependencies) {
  const goodbye = (ctx: DashboardContext) => {
    cookies.clearSession(ctx);
    const { signedOut, again } = SIGN_IN_WORDS[answering.languageOf(ctx)];
    const body = html`<p>${signedOut.text}</p>
      <p><a class="button" href="/sign-in">${again}</a></p>`;
    answering.plain(ctx, { title: signedOut.title, body });
  };
  return {
    async signOut(ctx: DashboardContext): Promise<void> {
      const token = cookies.readSession(ctx);
      if (token !== null) await signOut(database.em(), token);
      goodbye(ctx);
    },
    async signOutEverywhere(ctx: DashboardContext, { personId, tenantId }: LiveSession): Promise<void> {
      if (personId !== null) {
        const context = { actor: `person:${personId}`, requestId: ctx.state.requestId, now: now() };
        await database.write((em) => signOutEverywhere(em, { personId, tenantId }, context));
      }
      goodbye(ctx);
    },
  };
}
