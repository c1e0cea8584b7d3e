import { sql, type RawBuilder } from 'kysely';
import { z } from 'zod';
import { askForName, type NameQuestion } from '../../domain/patients/name-hashes.ts';
import { shownName } from '../../domain/patients/erased-name.ts';
import { cipherOf } from '../connection/cipher-of.ts';
import { columnsOf } from '../connection/columns.ts';
import { rowsOf, type EntityManager } from '../connection/statements.ts';
import { openRow } from '../encryption/field-seal.ts';
import { isNumbered } from './is-numbered.ts';
import { PATIENT_KEY } from './patient-key.ts';

export interface SoughtPatients {
  tenantId: string;
  /** The search text: beginnings of the words of a name in any order, or an external ID. */
  question: string;
  /** All hashes under which the phone may be stored; null when the question is no phone number. */
  patientPhoneHashes: readonly string[] | null;
  limit: number;
}

export interface LatestPatient {
  /** Identifies the patient in the same way as recall: docs/recall.md#who-is-one-patient */
  key: string;
  name: string;
  /** The patient's id in the clinic's other system. */
  externalId: string | null;
}

/** The number of latest matching appointments that are read. */
const MAX_APPOINTMENTS = 500;

const STORED = columnsOf(
  'appointment',
  'id',
  'tenantId',
  'patientName',
  'patientExternalId',
  'startsAt',
).extend({
  key: z.string(),
  isCertain: z.boolean(),
});
type Stored = z.infer<typeof STORED>;

interface Condition {
  fits: RawBuilder<unknown>;
  /** Whether a row that fulfils the condition certainly matches. If not, the name must be decrypted and compared. */
  isCertain: RawBuilder<unknown>;
}

/** The patients of the latest matching appointments, latest first. */
export async function findLatestPatients(
  em: EntityManager,
  { tenantId, question, patientPhoneHashes, limit }: SoughtPatients,
): Promise<LatestPatient[]> {
  const name = askForName(await cipherOf(em, tenantId), question);
  const found = await latestThatFit(em, tenantId, byNameOrNumber(question, name), name.mustAlsoFit);
  if (patientPhoneHashes !== null) {
    const fits = sql`patient_phone_hash = ANY(${[...patientPhoneHashes]}::text[])`;
    const byPhone = { fits, isCertain: sql`true` };
    found.push(...(await pageOf(em, tenantId, byPhone, null)));
  }
  const latest = new Map<string, Stored>();
  for (const row of found.toSorted(latestFirst)) {
    if (!latest.has(row.key)) latest.set(row.key, row);
  }
  const shown = [...latest.values()].slice(0, limit);
  return Promise.all(shown.map((row) => asPatient(em, row)));
}

function byNameOrNumber(question: string, { tokens, mustAlsoFit }: NameQuestion): Condition {
  const isTheNumber = isNumbered(question);
  const hasTokens = tokens.map((each) => sql`name_tokens @> ${each}::bigint[]`);
  return {
    fits: sql`(${sql.join([...hasTokens, isTheNumber], sql` OR `)})`,
    isCertain: mustAlsoFit === null ? sql`true` : isTheNumber,
  };
}

async function latestThatFit(
  em: EntityManager,
  tenantId: string,
  condition: Condition,
  mustAlsoFit: NameQuestion['mustAlsoFit'],
): Promise<Stored[]> {
  const fitting: Stored[] = [];
  for (let before: Stored | null = null; ;) {
    const page: Stored[] = await pageOf(em, tenantId, condition, before);
    for (const row of page) {
      if (row.isCertain || mustAlsoFit?.(await nameIn(em, row))) fitting.push(row);
    }
    before = page.at(-1) ?? null;
    if (page.length < MAX_APPOINTMENTS || fitting.length >= MAX_APPOINTMENTS)
      return fitting.slice(0, MAX_APPOINTMENTS);
  }
}

/** The latest matches, or the latest matches before a given one. */
async function pageOf(
  em: EntityManager,
  tenantId: string,
  { fits, isCertain }: Condition,
  before: Stored | null,
): Promise<Stored[]> {
  const isBefore = before
    ? sql`(starts_at, id) < (${before.startsAt}::timestamptz, ${before.id}::uuid)`
    : sql`true`;
  // Materialised, because PostgreSQL might otherwise scan all appointments from the latest on when few match.
  return rowsOf(em, STORED)`
    WITH fits AS MATERIALIZED (
      SELECT id, tenant_id, patient_name, name_hash, patient_phone_hash, patient_external_id, external_id, starts_at
      FROM found_visit
      WHERE tenant_id = ${tenantId} AND ${fits} AND status <> 'rescheduled' AND name_hash IS NOT NULL
    )
    SELECT
      id, tenant_id, patient_name, patient_external_id, starts_at,
      ${PATIENT_KEY} AS key, (${isCertain}) IS TRUE AS is_certain
    FROM (
      SELECT * FROM fits WHERE ${isBefore} ORDER BY starts_at DESC, id DESC LIMIT ${MAX_APPOINTMENTS}
    ) latest
    ORDER BY starts_at DESC, id DESC
  `;
}

function latestFirst(one: Stored, other: Stored): number {
  return (
    other.startsAt.getTime() - one.startsAt.getTime() ||
    (one.key === other.key ? 0 : one.key < other.key ? -1 : 1)
  );
}

async function asPatient(em: EntityManager, row: Stored): Promise<LatestPatient> {
  return { key: row.key, name: await nameIn(em, row), externalId: row.patientExternalId };
}

async function nameIn(em: EntityManager, row: Stored): Promise<string> {
  return shownName((await openRow(em, 'appointment', row)).patientName);
}
