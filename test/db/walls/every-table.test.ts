import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, type QueryResult } from 'pg';
import { CLINIC_ROLE, GUEST_ROLE } from '../../../db/migrations/clinic-walls.ts';
import { createTestDatabase } from '../../support/database.ts';
import { storedRowsOf } from '../../support/stored/stored-texts.ts';
import { fillTables, relationsOfClinics, type Relation } from './rows-of-clinics.ts';
import { forSuite } from '../../support/for-suite.ts';

const [OWN, OTHER] = [randomUUID(), randomUUID()];
/** SQLSTATE of a right that is missing and of a row that a policy refuses. */
const FORBIDDEN = '42501';
/** A view that joins two queries cannot be changed at all. */
const NOT_UPDATABLE = '55000';

/** Run with their owner’s rights: what they show of a clinic they decide by themselves. */
const VIEWS_WITH_A_WALL_OF_THEIR_OWN = ['blocked_time', 'found_visit', 'shown_patient', 'taken_time'];
const FUNCTIONS_WITH_THEIR_OWNERS_RIGHTS = [
  'clinic_of_slug',
  'clinic_of_visit',
  'keep_clear_of_overlaps',
  'prune_audit_events',
];
/** What a booking reads: whole tables, or these columns. */
const READ_BY_GUESTS: Record<string, 'all' | string[]> = {
  appointment: 'all',
  appointment_change: ['appointment_id', 'changes', 'tenant_id'],
  blocked_time: 'all',
  busy_block: ['ends_at', 'professional_id', 'starts_at', 'tenant_id'],
  calendar_entry: 'all',
  clinic_key: 'all',
  clinic_usage: 'all',
  // Whether changes are told, and never the address.
  patient_email: ['appointment_id', 'booked_id', 'refused_at', 'tenant_id'],
  professional: 'all',
  request_window: 'all',
  self_booking: 'all',
  service_eligibility: 'all',
  service_type: 'all',
  taken_time: 'all',
  tenant: 'all',
  webhook_delivery: [
    'appointment_id',
    'endpoint_id',
    'event_type',
    'id',
    'status',
    'tenant_id',
    'workflow_id',
  ],
  webhook_endpoint: ['deleted_at', 'events', 'id', 'ignore_actors', 'status', 'tenant_id', 'url'],
  // To lock what holds a slot, of which no row is seen.
  api_key: ['id', 'tenant_id'],
  call: ['id', 'status', 'tenant_id'],
};
/** Of no clinic, sealed by a key of the processes, or without a row that guests see. */
const NOT_OF_A_CLINIC = ['api_key', 'call', 'clinic_key', 'request_window'];

const testDatabase = await forSuite(createTestDatabase());
const owner = new Client({ connectionString: testDatabase.url });
/** With the role of requests, and one clinic within reach. */
const scoped = new Client({ connectionString: testDatabase.url, options: `-c role=${CLINIC_ROLE}` });
await Promise.all([owner.connect(), scoped.connect()]);
const relations = await relationsOfClinics(owner);
await fillTables(owner, relations, [OWN, OTHER]);
await reach(OWN);
afterAll(() => Promise.all([owner.end(), scoped.end()]));

async function reach(...clinics: string[]): Promise<void> {
  await scoped.query(`SELECT set_config('app.tenant_ids', $1, false)`, [`{${clinics.join()}}`]);
}

/** How many rows it found or changed; null: it was forbidden. */
async function rowsOf(asked: Promise<QueryResult>): Promise<number | null> {
  try {
    return (await asked).rowCount;
  } catch (error) {
    if (error instanceof Error && 'code' in error && [FORBIDDEN, NOT_UPDATABLE].includes(String(error.code)))
      return null;
    throw error;
  }
}

/** What each of them answered, by its name. */
async function ofEach(
  ask: (relation: Relation) => Promise<QueryResult>,
): Promise<Record<string, number | null>> {
  const found: Record<string, number | null> = {};
  for (const relation of relations) found[relation.name] = await rowsOf(ask(relation));
  return found;
}

function namesOf(found: Record<string, number | null>, isMeant: (rows: number | null) => boolean): string[] {
  return Object.entries(found).flatMap(([name, rows]) => (isMeant(rows) ? [name] : []));
}

const isSome = (rows: number | null) => rows !== null && rows > 0;

test('there are two clinics in every table', async () => {
  expect(relations.length).toBeGreaterThan(30);
  for (const { name, clinic } of relations) {
    const { rows } = await owner.query<{ id: string }>(`SELECT ${clinic} AS id FROM ${name}`);
    expect([name, rows.map(({ id }) => id)]).toEqual([name, [OWN, OTHER]]);
  }
});

test('with one clinic within reach nothing of another is read', async () => {
  const other = await ofEach(({ name, clinic }) =>
    scoped.query(`SELECT FROM ${name} WHERE ${clinic} = $1`, [OTHER]),
  );
  const all = await ofEach(({ name }) => scoped.query(`SELECT FROM ${name}`));
  expect(namesOf(other, isSome)).toEqual([]);
  expect(namesOf(all, (rows) => (rows ?? 0) > 1)).toEqual([]);
  expect(namesOf(all, (rows) => rows === 1).length).toBeGreaterThan(30);
});

test('with no clinic within reach nothing is read', async () => {
  await reach();
  const listed = await ofEach(({ name }) => scoped.query(`SELECT FROM ${name}`));
  await scoped.query('RESET app.tenant_ids');
  const unset = await ofEach(({ name }) => scoped.query(`SELECT FROM ${name}`));
  await reach(OWN);
  expect([namesOf(listed, isSome), namesOf(unset, isSome)]).toEqual([[], []]);
});

test('with two within reach both are read', async () => {
  await reach(OWN, OTHER);
  const found = await ofEach(({ name }) => scoped.query(`SELECT FROM ${name}`));
  await reach(OWN);
  expect(namesOf(found, (rows) => rows === 1)).toEqual([]);
});

test('nothing of another clinic is changed, removed, added or taken over', async () => {
  const before = await storedRowsOf(owner);
  const changed = await ofEach(({ name, clinic, columns }) => {
    const column = columns.find((each) => each.name === clinic) ?? columns[0];
    return scoped.query(`UPDATE ${name} SET ${column?.name} = ${column?.name} WHERE ${clinic} = $1`, [OTHER]);
  });
  const removed = await ofEach(({ name, clinic }) =>
    scoped.query(`DELETE FROM ${name} WHERE ${clinic} = $1`, [OTHER]),
  );
  const added = await ofEach(async ({ name, clinic, columns }) => {
    const { rows } = await owner.query<{ row: string }>(
      `SELECT to_jsonb(it)::text AS row FROM ${name} it WHERE ${clinic} = $1`,
      [OTHER],
    );
    const written = columns.map((column) => column.name).join(', ');
    const row = `jsonb_populate_record(NULL::${name}, $1::jsonb)`;
    return scoped.query(`INSERT INTO ${name} (${written}) SELECT ${written} FROM ${row}`, [rows[0]?.row]);
  });
  const givenAway = await ofEach(({ name, clinic, columns }) =>
    columns.some((column) => column.name === clinic)
      ? scoped.query(`UPDATE ${name} SET ${clinic} = $1`, [OTHER])
      : scoped.query(`UPDATE ${name} SET message = jsonb_set(message, '{clinicId}', to_jsonb($1::text))`, [
          OTHER,
        ]),
  );
  expect([namesOf(changed, isSome), namesOf(removed, isSome)]).toEqual([[], []]);
  expect([namesOf(added, (rows) => rows !== null), namesOf(givenAway, (rows) => rows !== null)]).toEqual([
    [],
    [],
  ]);
  expect(await storedRowsOf(owner)).toEqual(before);
});

test('of what is of no clinic, requests only read the leases, and how far new hashes of names are', async () => {
  const { rows } = await owner.query<{ name: string; rights: string }>(
    `SELECT relname AS name, concat_ws(' ', ${['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE']
      .map((right) => `CASE WHEN has_table_privilege($1, oid, '${right}') THEN '${right}' END`)
      .join()}) AS rights
     FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v') AND NOT relname = ANY($2)
     ORDER BY relname`,
    [CLINIC_ROLE, relations.map(({ name }) => name)],
  );
  expect(rows.filter(({ rights }) => rights !== '')).toEqual([
    { name: 'sealing_progress', rights: 'SELECT' },
    { name: 'worker_lease', rights: 'SELECT' },
  ]);
});

describe('guests of public pages', () => {
  let guest: Client;
  beforeAll(async () => {
    guest = new Client({ connectionString: testDatabase.url, options: `-c role=${GUEST_ROLE}` });
    await guest.connect();
  });
  afterAll(() => guest.end());
  const seen = () => ofEach(({ name }) => guest.query(`SELECT FROM ${name}`));

  test('see what a booking reads, of the clinic within reach alone, and nothing without one', async () => {
    // Sealed by a key of the processes, and asked for before a clinic is within reach.
    const [key] = namesOf(await seen(), isSome);
    expect(key).toBe('clinic_key');
    await guest.query(`SELECT set_config('app.tenant_ids', $1, false)`, [`{${OWN}}`]);
    const { clinic_key: _sealed, ...found } = await seen();
    const seenRows = Object.keys(READ_BY_GUESTS).filter((name) => !NOT_OF_A_CLINIC.includes(name));
    expect(namesOf(found, isSome).toSorted()).toEqual(seenRows);
    expect(namesOf(found, (rows) => (rows ?? 0) > 1)).toEqual([]);
  });

  test('may read no column that a booking does not need', async () => {
    const { rows } = await owner.query<{ table: string; read: string[]; all: boolean }>(
      `SELECT relname AS table, bool_and(may) AS all, array_agg(attname ORDER BY attname) FILTER (WHERE may) AS read
       FROM (
         SELECT relname, attname::text, has_column_privilege($1, pg_class.oid, attnum, 'SELECT') AS may
         FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
         WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v')
       ) AS columns
       GROUP BY relname HAVING bool_or(may)`,
      [GUEST_ROLE],
    );
    const readable = Object.fromEntries(rows.map(({ table, read, all }) => [table, all ? 'all' : read]));
    expect(readable).toEqual(READ_BY_GUESTS);
  });

  test('end no session of staff and change no key, person or call', async () => {
    for (const table of ['session', 'portal_link', 'person', 'audit_event', 'call', 'professional', 'tenant'])
      await expect(guest.query(`DELETE FROM ${table}`)).rejects.toMatchObject({ code: FORBIDDEN });
  });
});

test('every table has its wall, and what runs with its owner’s rights is known', async () => {
  const { rows: bare } = await owner.query(
    `SELECT relname FROM pg_class WHERE relname = ANY($1) AND relkind IN ('r', 'p') AND NOT relrowsecurity`,
    [relations.map(({ name }) => name)],
  );
  const { rows: views } = await owner.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('v', 'm')
       AND NOT coalesce('security_invoker=true' = ANY(reloptions), false)
     ORDER BY relname`,
  );
  const { rows: functions } = await owner.query<{ name: string }>(
    `SELECT proname AS name FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prosecdef
     ORDER BY proname`,
  );
  expect(bare).toEqual([]);
  expect(views.map(({ name }) => name)).toEqual(VIEWS_WITH_A_WALL_OF_THEIR_OWN);
  expect(functions.map(({ name }) => name)).toEqual(FUNCTIONS_WITH_THEIR_OWNERS_RIGHTS);
});
