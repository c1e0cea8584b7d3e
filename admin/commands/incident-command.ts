import { recordAudit } from '../../commands/command-context.ts';
import { requireFound } from '../../commands/require-found.ts';
import { patientsOfActor, type TouchedPatient } from '../../commands/patient-reads/patients-of-actor.ts';
import { listAuditEvents } from '../../db/audit/audit-events.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { ApiKeyEntity } from '../../db/entities/api-key.entity.ts';
import { PersonEntity } from '../../db/entities/people/person.entity.ts';
import { TenantEntity } from '../../db/entities/tenant.entity.ts';
import { csvLine } from '../../domain/text/csv-line.ts';
import { shownPhoneHash } from '../../domain/patients/shown-phone-hash.ts';
import type { CallNumberSeal } from '../../adapters/phones/call-numbers.ts';
import { adminCommand, type CommandDependencies } from '../admin-command.ts';
import { UsageError } from '../failures.ts';
import { flag, id, instant, option } from '../options.ts';
import { readServiceKeys } from '../service-keys.ts';
import { streamedDocument } from '../streamed-document.ts';
import { presentAuditEvent } from './audit-commands.ts';

/** The most other actions of a key or person that are listed; no one would read more. */
const MAX_ACTIONS = 1000;

/** docs/operations/incidents.md */
export const incidentCommand = adminCommand({
  words: 'incident',
  summary: 'List the patients that an API key or a user saw or changed, for example after a key has leaked',
  options: {
    key: option(id.optional(), 'id', 'the API key'),
    person: option(id.optional(), 'id', 'the user of the dashboard, instead of --key'),
    since: option(instant.optional(), 'time', 'with offset, for example 2026-03-01T00:00:00Z'),
    until: option(instant.optional(), 'time', 'exclusive'),
    csv: flag('CSV instead of JSON'),
  },
  check({ key, person }) {
    if ((key === undefined) === (person === undefined))
      throw new UsageError('specify either --key or --person, not both.');
  },
  async run({ key, person, csv, ...times }, dependencies) {
    const { database, context } = dependencies;
    const em = database.em();
    const actor = await (key === undefined ? findPerson(em, person ?? '') : findKey(em, key));
    const { tenantId, actor: name } = actor;
    const wanted = { ...times, actor: name };
    const details = { of: name, since: times.since ?? null, until: times.until ?? null };
    await recordAudit(em, { action: 'incident.listed', tenantId, subjectId: null, details }, context);
    const tenantIds = tenantId === null ? await everyTenant(em) : [tenantId];
    const patients = patientsIn(dependencies, tenantIds, wanted);
    if (csv) return csvOf(patients);
    const actions = await listAuditEvents(em, { ...wanted, limit: MAX_ACTIONS });
    return streamedDocument({ ...actor, ...details, patients, actions: actions.map(presentAuditEvent) });
  },
});

async function findKey(em: EntityManager, keyId: string) {
  const { tenantId, name } = requireFound(await em.findOne(ApiKeyEntity, { id: keyId }), 'API key', keyId);
  return { actor: `key:${keyId}`, actorName: name, tenantId };
}

/** Support staff belong to no clinic, and may have seen patients of every one. */
async function findPerson(em: EntityManager, personId: string) {
  const person = requireFound(await em.findOne(PersonEntity, { id: personId }), 'person', personId);
  return { actor: `person:${personId}`, actorName: person.name, tenantId: person.tenantId };
}

async function everyTenant(em: EntityManager): Promise<string[]> {
  const tenants = await em.find(TenantEntity, {}, { fields: ['id'], orderBy: { id: 'asc' } });
  return tenants.map((tenant) => tenant.id);
}

async function* patientsIn(
  { database, environment }: CommandDependencies,
  tenantIds: readonly string[],
  wanted: { actor: string; since: Date | undefined; until: Date | undefined },
) {
  for (const tenantId of tenantIds) {
    const { numbers } = await readServiceKeys(environment, database, tenantId);
    for await (const touched of patientsOfActor(database, { ...wanted, tenantId })) {
      yield presentTouched(touched, tenantId, numbers);
    }
  }
}

function presentTouched(
  { id: touchedId, call, firstAt, lastAt, entries, actions, ...patient }: TouchedPatient,
  tenantId: string,
  numbers: CallNumberSeal,
) {
  const hash = patient.patientPhoneHash;
  return {
    tenantId,
    appointmentId: call ? null : touchedId,
    callId: call ? touchedId : null,
    ...patient,
    patientPhoneHash: hash === null ? null : shownPhoneHash(hash),
    ...(call ? numbers.show(call) : { fromNumber: null, toNumber: null }),
    actions,
    entries,
    firstAt: firstAt.toISOString(),
    lastAt: lastAt.toISOString(),
  };
}

type Presented = ReturnType<typeof presentTouched>;

const COLUMNS = [
  'tenantId',
  'appointmentId',
  'callId',
  'patientName',
  'patientExternalId',
  'patientPhoneHash',
  'fromNumber',
  'toNumber',
  'actions',
  'entries',
  'firstAt',
  'lastAt',
] as const satisfies readonly (keyof Presented)[];

async function* csvOf(patients: AsyncIterable<Presented>) {
  yield csvLine(COLUMNS, ',');
  for await (const patient of patients) {
    const cells = COLUMNS.map((column) =>
      column === 'actions' ? patient.actions.join(' ') : patient[column],
    );
    yield csvLine(cells, ',');
  }
}
