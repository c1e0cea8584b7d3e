import { blockPerson, endSessionsOf, unblockPerson } from '../../commands/people/end-sessions.ts';
import { requireTenant } from '../../commands/clinic/lock-tenant.ts';
import type { PersonRow } from '../../db/entities/people/person.entity.ts';
import { listPeople } from '../../db/people/people.ts';
import { listLiveSessions, type ListedSession } from '../../db/people/sessions.ts';
import { adminCommand } from '../admin-command.ts';
import { UsageError } from '../failures.ts';
import { flag, id, idOf, option } from '../options.ts';

const list = adminCommand({
  words: 'person list',
  summary: 'List the users of the dashboard and their sessions',
  columns: ['id', 'name', 'role', 'tenantId', 'lastSignedInAt', 'blockedAt', 'sessions'],
  options: {
    tenant: option(id.optional(), 'id', 'only of this clinic'),
    support: flag('only support staff'),
  },
  check({ tenant, support }) {
    if (tenant !== undefined && support) throw new UsageError('Use --tenant or --support, not both.');
  },
  async run({ tenant, support }, { database, context }) {
    const em = database.em();
    if (tenant !== undefined) await requireTenant(em, tenant);
    const people = await listPeople(em, support ? null : tenant);
    const wanted = { personIds: people.map((person) => person.id) };
    const sessions = await listLiveSessions(em, wanted, { now: context.now, limit: null });
    return {
      items: people.map((person) => ({
        ...presentPerson(person),
        sessions: sessions.filter(({ personId }) => personId === person.id).map(presentSession),
      })),
    };
  },
});

const endSessions = adminCommand({
  words: 'person end-sessions',
  summary: 'End all sessions of a user. Each session ends at its next click. The user can sign in again',
  options: { person: idOf('person') },
  async run({ person }, { database, context }) {
    const ended = await database.write((em) => endSessionsOf(em, person, context));
    return { id: person, ended };
  },
});

const block = adminCommand({
  words: 'person block',
  summary: 'Block a user in this service, even if the identity provider allows them, and end their sessions',
  options: { person: idOf('person') },
  async run({ person: personId }, { database, context }) {
    const { person, ended } = await database.write((em) => blockPerson(em, personId, context));
    return { ...presentPerson(person), ended };
  },
});

const unblock = adminCommand({
  words: 'person unblock',
  summary: 'Unblock a user',
  options: { person: idOf('person') },
  run: async ({ person }, { database, context }) =>
    presentPerson(await database.write((em) => unblockPerson(em, person, context))),
});

export const personCommands = [list, endSessions, block, unblock];

/** A person as the identity provider last described them. */
export function presentPerson(person: PersonRow) {
  const { id: personId, tenantId, issuer, subject, name, role, createdAt, signedInAt, blockedAt } = person;
  return {
    id: personId,
    tenantId,
    issuer,
    subject,
    name,
    role,
    firstSignedInAt: createdAt.toISOString(),
    lastSignedInAt: signedInAt.toISOString(),
    blockedAt: blockedAt?.toISOString() ?? null,
  };
}

/** A session with the device and address of its last use. */
export function presentSession({ id: sessionId, browser, system, lastAddress, ...times }: ListedSession) {
  return {
    id: sessionId,
    browser,
    system,
    lastAddress,
    signedInAt: times.createdAt.toISOString(),
    lastUsedAt: times.lastUsedAt.toISOString(),
    endsAt: times.endsAt.toISOString(),
  };
}
