import { listUnacknowledged } from '../../../db/appointments/lists/unacknowledged.ts';
import { cursorByTime } from '../../../domain/lists/cursor.schema.ts';
import { clinicPage, idsOf, type PageRoute } from '../../serving/page-request.ts';
import { UNACKNOWLEDGED, unacknowledgedPage, unacknowledgedSince } from './unacknowledged-page.ts';

const PAGE = 100;

const place = cursorByTime('unacknowledged', 'startsAt');

export function unacknowledgedPages(): PageRoute[] {
  return [
    clinicPage('GET', UNACKNOWLEDGED, 'appointments', async ({ tenantId, query, view, read, noteShown }) => {
      const after = place.parameter.safeParse(query.get('cursor')).data;
      const wanted = { tenantId, since: unacknowledgedSince(view.now), after, limit: PAGE + 1 };
      const found = await read((em) => listUnacknowledged(em, wanted));
      const entries = found.slice(0, PAGE);
      noteShown('appointment', idsOf(entries));
      const last = found.length > PAGE ? entries.at(-1) : undefined;
      return unacknowledgedPage(view, entries, { cursor: last ? place.encode(last) : null, query });
    }),
  ];
}
