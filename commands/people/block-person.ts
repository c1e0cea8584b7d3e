import { lockRow } from '../../db/connection/locks/lock-row.ts';
import { PersonEntity } from '../../db/entities/person.entity.ts';
import { SessionEntity } from '../../db/entities/session.entity.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { recordAudit, type CommandContext } from '../command-context.ts';
import { requireFound } from '../require-found.ts';

/** Keeps a person out, whatever the identity provider says, and ends their sessions; twice is once. Errors: `not_found`. */
export async function blockPerson(em: EntityManager, personId: string, context: CommandContext) {
  const person = requireFound(await lockRow(em, PersonEntity, { id: personId }), 'person', personId);
  const isNew = person.blockedAt === null;
  if (isNew) person.blockedAt = context.now;
  await em.flush();
  const ended = await em.nativeDelete(SessionEntity, { personId });
  const { tenantId } = person;
  const audited = { action: 'person.blocked', tenantId, subjectId: personId, details: { ended } } as const;
  if (isNew) await recordAudit(em, audited, context);
  return { person, ended };
}

/** Lets a person sign in again. Errors: `not_found`. */
export async function unblockPerson(em: EntityManager, personId: string, context: CommandContext) {
  const person = requireFound(await lockRow(em, PersonEntity, { id: personId }), 'person', personId);
  if (person.blockedAt === null) return person;
  person.blockedAt = null;
  await em.flush();
  const audited = { action: 'person.unblocked', tenantId: person.tenantId, subjectId: personId } as const;
  await recordAudit(em, audited, context);
  return person;
}
