import type { SecretCipher } from '../../adapters/encryption/secret-cipher.ts';
import { keepForm } from '../../commands/people/keep-form.ts';
import { countUnknownSession, type AddressLimits } from '../sign-in/address-limits.ts';
import { SessionEntity } from '../../db/entities/people/session.entity.ts';
import { html, type Html } from '../../pages/html.ts';
import type { Answering } from '../serving/answering.ts';
import { notice } from '../layout/components.ts';
import { FORM_TOKEN } from '../layout/form.ts';
import { readForm } from '../serving/read-form.ts';
import type { DashboardContext } from '../serving/state.ts';
import { KEPT_FORMS } from './kept-form-page.ts';
import { KEPT_FORM_WORDS } from './words.ts';

export interface EndedSessionOptions extends AddressLimits {
  cipher: SecretCipher;
  answering: Answering;
  /** The dashboard's public address. */
  dashboardUrl: string;
  now: () => Date;
}

/**
 * Answers a request without a valid session. A page request redirects to the sign-in. A form submission cannot redirect
 * to another site, so it gets a page with a link, and a form of ours is saved until its owner signs in.
 */
export async function answerEndedSession(ctx: DashboardContext, options: EndedSessionOptions): Promise<void> {
  const { answering } = options;
  if (isByScript(ctx)) return answerScript(ctx, answering);
  if (ctx.method === 'GET') return answering.redirect(ctx, signInFor(ctx.originalUrl));
  const { ended, nothingChanged } = KEPT_FORM_WORDS[answering.languageOf(ctx)];
  const body = html`<p>${nothingChanged}</p>
    ${await whatNow(ctx, options)}`;
  answering.plain(ctx, { title: ended, body, status: 401 });
}

export function isByScript(ctx: DashboardContext): boolean {
  return ctx.get('HX-Request') === 'true';
}

/**
 * Answers a request by a script. The page stays with everything typed into it; only the requested part shows the
 * message.
 */
function answerScript(ctx: DashboardContext, answering: Answering): void {
  if (ctx.method !== 'GET') return void (ctx.status = 204);
  const { stands, signInBeside } = KEPT_FORM_WORDS[answering.languageOf(ctx)];
  const link = html`<a href="/sign-in" target="_blank" rel="noopener">${signInBeside}</a>`;
  const part = html`<div id="${ctx.get('HX-Target')}">${notice('waiting', html`${stands} ${link}`)}</div>`;
  answering.html(ctx, 200, String(part));
}

async function whatNow(ctx: DashboardContext, options: EndedSessionOptions): Promise<Html> {
  const { database, cipher, answering, dashboardUrl, now } = options;
  const words = KEPT_FORM_WORDS[answering.languageOf(ctx)];
  const form = await readForm(ctx, dashboardUrl);
  const session = await database.em().findOne(SessionEntity, { formToken: form.get(FORM_TOKEN) ?? '' });
  if (session === null) {
    await countUnknownSession(ctx, options);
    return whatToDo(words.notKept, words.signIn, '/');
  }
  const { tenantId, personId } = session;
  if (personId === null) return html`<p>${words.ofPortal}</p>`;
  const fields = [...form].filter(([name]) => name !== FORM_TOKEN);
  const kept = { tenantId, personId, address: ctx.originalUrl, fields };
  const id = await database.write((em) => keepForm(em, cipher, kept, now()));
  return whatToDo(words.kept, words.signInAndSend, `${KEPT_FORMS}/${id}`);
}

function whatToDo(text: string, link: string, to: string): Html {
  return html`<p>${text}</p>
    <p><a class="button" href="${signInFor(to)}">${link}</a></p>`;
}

function signInFor(to: string): string {
  return `/sign-in?${new URLSearchParams({ to }).toString()}`;
}
