import { endSession } from '../../commands/people/end-sessions.ts';
import { listLiveSessions, type ListedSession } from '../../db/people/sessions.ts';
import { FRAME_WORDS } from '../layout/words.ts';
import { clinicPage, type PageRequest, type PageRoute, type Page } from '../serving/page-request.ts';
import { SESSION_WORDS } from './words.ts';
import { html, type Part } from '../../pages/html.ts';
import { badge, instant, table } from '../layout/components.ts';
import { form } from '../layout/form.ts';
import type { View } from '../layout/view.ts';

const OWN = '/sessions';
const OF_CLINIC = '/settings/sessions';
/** The most sessions shown; a clinic has fewer. */
const MAX_SHOWN = 200;

/** Sessions: everyone sees their own; owner and manager see the clinic's. */
export function sessionPages(): PageRoute[] {
  return [
    {
      method: 'GET',
      path: OWN,
      may: 'own_sessions',
      handle: async ({ view, read, ...request }) => {
        const personIds = [personOf(request)];
        const sessions = await read((em) =>
          listLiveSessions(em, { personIds }, { now: view.now, limit: MAX_SHOWN }),
        );
        const { title, intro } = SESSION_WORDS[view.language].own;
        return sessionListPage(view, sessions, { title, intro, address: OWN });
      },
    },
    {
      method: 'POST',
      path: `${OWN}/:id/end`,
      may: 'own_sessions',
      handle: async ({ id: sessionId, context, write, ...request }) => {
        const ending = { sessionId, of: { personId: personOf(request) } };
        await write((em) => endSession(em, ending, context));
        return { to: OWN };
      },
    },
    clinicPage('GET', OF_CLINIC, 'settings', async ({ tenantId, view, read }) => {
      const sessions = await read((em) =>
        listLiveSessions(em, { tenantId }, { now: view.now, limit: MAX_SHOWN }),
      );
      const { intro } = SESSION_WORDS[view.language].ofClinic;
      const title = FRAME_WORDS[view.language].sections.sessions;
      return sessionListPage(view, sessions, { title, intro, address: OF_CLINIC, withNames: true });
    }),
    clinicPage('POST', `${OF_CLINIC}/:id/end`, 'settings', async ({ tenantId, id, context, write }) => {
      await write((em) => endSession(em, { sessionId: id, of: { tenantId } }, context));
      return { to: OF_CLINIC };
    }),
  ];
}

function personOf({ session }: Pick<PageRequest, 'session'>): string {
  if (session.personId === null) throw new TypeError('A session of a portal link has no person');
  return session.personId;
}

interface SessionListOptions {
  title: string;
  intro: string;
  /** The base of the address for ending a session. */
  address: string;
  /** Whether the sessions belong to several people. */
  withNames?: boolean;
}

function sessionListPage(
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

/** The device as reported by the browser, which is not reliable. */
function deviceName({ language }: View, { browser, system }: ListedSession): string {
  const { on, unknown } = SESSION_WORDS[language];
  if (browser !== null && system !== null) return on(browser, system);
  return browser ?? system ?? unknown;
}

/** The current session ends by signing out. */
function ending(view: View, { id }: ListedSession, address: string): Part {
  const { end, thisOne } = SESSION_WORDS[view.language];
  if (id === view.session.sessionId) return badge('good', thisOne);
  return form(view, { action: `${address}/${id}/end` }, html`<button class="link">${end}</button>`);
}
