import { endSession } from '../../commands/people/end-sessions.ts';
import { listLiveSessions } from '../../db/people/sessions.ts';
import { FRAME_WORDS } from '../layout/words.ts';
import { clinicPage, type PageRequest, type PageRoute } from '../serving/page-request.ts';
import { sessionListPage } from './session-list-page.ts';
import { SESSION_WORDS } from './words.ts';

const OWN = '/sessions';
const OF_CLINIC = '/settings/sessions';
/** More than a clinic has people at work. */
const MOST_SHOWN = 200;

/** Where people are signed in: everybody their own, owner and manager those of the clinic. */
export function sessionPages(): PageRoute[] {
  return [
    {
      method: 'GET',
      path: OWN,
      may: 'own_sessions',
      handle: async ({ view, read, ...request }) => {
        const personIds = [personOf(request)];
        const sessions = await read((em) =>
          listLiveSessions(em, { personIds }, { now: view.now, limit: MOST_SHOWN }),
        );
        const { title, intro } = SESSION_WORDS[view.language].own;
        return sessionListPage(view, sessions, { title, intro, address: OWN });
      },
    },
    {
      method: 'POST',
      path: `${OWN}/:id/end`,
      may: 'own_sessions',
      handle: async ({ path, context, write, ...request }) => {
        const ending = { sessionId: path['id'] ?? '', of: { personId: personOf(request) } };
        await write((em) => endSession(em, ending, context));
        return { to: OWN };
      },
    },
    clinicPage('GET', OF_CLINIC, 'settings', async ({ tenantId, view, read }) => {
      const sessions = await read((em) =>
        listLiveSessions(em, { tenantId }, { now: view.now, limit: MOST_SHOWN }),
      );
      const { intro } = SESSION_WORDS[view.language].ofClinic;
      const title = FRAME_WORDS[view.language].sections.sessions;
      return sessionListPage(view, sessions, { title, intro, address: OF_CLINIC, withNames: true });
    }),
    clinicPage('POST', `${OF_CLINIC}/:id/end`, 'settings', async ({ tenantId, path, context, write }) => {
      await write((em) => endSession(em, { sessionId: path['id'] ?? '', of: { tenantId } }, context));
      return { to: OF_CLINIC };
    }),
  ];
}

function personOf({ session }: Pick<PageRequest, 'session'>): string {
  if (session.personId === null) throw new TypeError('A portal link is nobody');
  return session.personId;
}
