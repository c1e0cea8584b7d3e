import { listAuditEvents } from '../../db/audit/audit-events.ts';
import { findSubjectNames } from '../../db/audit/subject-names.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import type { AuditEventRow } from '../../db/entities/audit-event.entity.ts';
import { findActorNames } from '../../db/people/people.ts';

/** An entry with the names of actor and subject. */
export interface NamedEvent {
  event: AuditEventRow;
  /** The names of actors. */
  actors: ReadonlyMap<string, string>;
  /** The name of the subject; null when it has none or was deleted. */
  subjectName: string | null;
}

/** The clinic's entries, newest first. @param before the id of the last entry already shown */
export async function findNamedEvents(
  em: EntityManager,
  tenantId: string,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<NamedEvent[]> {
  const events = await listAuditEvents(em, { tenantId, before, limit });
  const actors = await findActorNames(
    em,
    tenantId,
    events.flatMap((event) => [event.actor, linkMaker(event)]),
  );
  const subjects = await findSubjectNames(em, tenantId, events);
  return events.map((event) => ({ event, actors, subjectName: subjects.get(event.subjectId ?? '') ?? null }));
}

/** The key that created the actor's portal link. */
export function linkMaker({ details: { linkMadeBy } }: Pick<AuditEventRow, 'details'>): string | null {
  return typeof linkMadeBy === 'string' ? linkMadeBy : null;
}
