import type { ListedSession } from '../../db/people/sessions.ts';
import { html, type Part } from '../../pages/html.ts';
import { badge, instant, table } from '../layout/components.ts';
import { form } from '../layout/form.ts';
import type { View } from '../layout/view.ts';
import { FRAME_WORDS } from '../layout/words.ts';
import type { Page } from '../serving/page-request.ts';
import { SESSION_WORDS } from './words.ts';

export interface SessionListOptions {
  title: string;
  intro: string;
  /** Of the page, under which each session is ended. */
  address: string;
  /** Whether they are of several people. */
  withNames?: boolean;
}

export function sessionListPage(
  view: View,
  sessions: readonly ListedSession[],
  { title, intro, address, withNames = false }: SessionListOptions,
): Page {
  const { heads, none } = SESSION_WORDS[view.language];
  const rest = [heads.device, heads.lastUsed, heads.from, heads.signedIn, ''];
  const list = table({
    caption: title,
    heads: withNames ? [heads.who, ...rest] : rest,
    rows: sessions.map((session) => ({
      cells: [
        ...(withNames ? [whoOf(view, session)] : []),
        deviceName(view, session),
        instant(session.lastUsedAt, view.format.dateTime(session.lastUsedAt)),
        session.lastAddress ?? '–',
        instant(session.createdAt, view.format.dateTime(session.createdAt)),
        ending(view, session, address),
      ],
    })),
    empty: none,
  });
  return {
    title,
    body: html`<p>${intro}</p>
      ${list}`,
  };
}

function whoOf({ language }: View, { personName, role }: ListedSession): Part {
  const { roles } = FRAME_WORDS[language];
  return personName === null ? roles[role] : html`${personName} <span class="under">${roles[role]}</span>`;
}

/** As the browser says; nobody can be sure of it. */
function deviceName({ language }: View, { browser, system }: ListedSession): string {
  const { on, unknown } = SESSION_WORDS[language];
  if (browser !== null && system !== null) return on(browser, system);
  return browser ?? system ?? unknown;
}

/** The one that somebody looks with ends by signing out. */
function ending(view: View, { id }: ListedSession, address: string): Part {
  const { end, thisOne } = SESSION_WORDS[view.language];
  if (id === view.session.sessionId) return badge('good', thisOne);
  return form(view, { action: `${address}/${id}/end` }, html`<button class="link">${end}</button>`);
}
