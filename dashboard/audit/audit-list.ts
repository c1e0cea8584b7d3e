import { localTime, timeHead, type CsvList } from '../csv/csv-download.ts';
import { CSV_WORDS } from '../csv/words.ts';
import { actorName } from '../language/actor-name.ts';
import type { ClinicRequest } from '../serving/page-request.ts';
import { findNamedEvents, type NamedEvent } from './audit-events.ts';
import { moreOf } from './event-words.ts';
import { AUDIT_WORDS } from './words.ts';

/** The activity log as a file. */
export function auditList({ tenantId, view, read }: ClinicRequest): CsvList<NamedEvent> {
  const { heads } = CSV_WORDS[view.language];
  const { actions } = AUDIT_WORDS[view.language];
  const at = localTime(view);
  return {
    name: 'audit',
    columns: [
      [timeHead(heads.happened, view), ({ event }) => at(event.at)],
      [heads.who, ({ event, actors }) => actorName(event.actor, actors, view.language)],
      [heads.what, ({ event }) => actions[event.action]],
      [
        heads.ofWhat,
        ({ event, subjectName }) => [subjectName, ...moreOf(view, event)].filter(Boolean).join('; '),
      ],
      [heads.id, ({ event }) => event.id],
    ],
    page: (after, limit) => read((em) => findNamedEvents(em, tenantId, { before: after?.event.id, limit })),
  };
}
