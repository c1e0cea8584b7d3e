import { openPortalLink } from '../../commands/people/portal-links.ts';
import { html } from '../../pages/html.ts';
import { homeOf } from '../layout/navigation.ts';
import type { DashboardContext } from '../serving/state.ts';
import type { SignInDependencies } from './sign-in-pages.ts';
import { countUnknownSession } from './address-limits.ts';
import { visitOf } from './visit-of.ts';
import { SIGN_IN_WORDS } from './words.ts';

/** Sign-in with a one-time link, for the webhook pages only. */
export function createPortalPages(dependencies: SignInDependencies) {
  const { database, cookies, answering, trustedHops, now } = dependencies;
  return {
    show(ctx: DashboardContext): void {
      const { title, text, open } = SIGN_IN_WORDS[answering.languageOf(ctx)].portal;
      // A button is needed: if opening the page were enough, link previews would use up the link.
      const body = html`<p>${text}</p>
        <form method="post" action="${ctx.path}"><button>${open}</button></form>`;
      answering.plain(ctx, { title, body });
    },
    async open(ctx: DashboardContext, token: string): Promise<void> {
      const context = { requestId: ctx.state.requestId, now: now() };
      const opened = await database.write((em) =>
        openPortalLink(em, { token, visit: visitOf(ctx, trustedHops) }, context),
      );
      if (opened === null) {
        await countUnknownSession(ctx, dependencies);
        const { ended: title, endedText } = SIGN_IN_WORDS[answering.languageOf(ctx)].portal;
        return answering.plain(ctx, { title, body: html`<p>${endedText}</p>`, status: 410 });
      }
      cookies.setSession(ctx, opened.token);
      answering.redirect(ctx, homeOf({ role: 'portal', scopes: opened.scopes }));
    },
  };
}
