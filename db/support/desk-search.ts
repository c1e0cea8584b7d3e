import { sql, type RawBuilder } from 'kysely';
import type { z } from 'zod';
import { columnsOf } from '../connection/columns.ts';
import { anyOf, rowsOf, tables, type EntityManager, type RowOf } from '../connection/statements.ts';
import { isNumbered } from '../patients/is-numbered.ts';

const COLUMNS = ['id', 'name', 'status', 'country', 'config'] as const;

/** A clinic as shown at the support desk. */
export type DeskClinic = RowOf<'tenant', (typeof COLUMNS)[number]>;

/**
 * Clinics whose name has words with these prefixes, ignoring accents, case and order, sorted by name; all without
 * words.
 */
export function findClinicsByName(em: EntityManager, words: string, limit: number): Promise<DeskClinic[]> {
  const fits = sql<boolean>`NOT EXISTS (
    SELECT FROM unnest(string_to_array(nullif(plain_words(${words}), ''), ' ')) word
    WHERE NOT starts_with(plain_words(tenant.name), word)
      AND strpos(plain_words(tenant.name), ' ' || word) = 0
  )`;
  const clinics = tables(em).selectFrom('tenant').select(COLUMNS).where(fits);
  return clinics.orderBy('name').orderBy('id').limit(limit).execute();
}

/** All clinics by name. @param after the id of the last one already shown */
export function listClinics(
  em: EntityManager,
  after: string | undefined,
  limit: number,
): Promise<DeskClinic[]> {
  const clinics = tables(em).selectFrom('tenant').select(COLUMNS).orderBy('name').orderBy('id').limit(limit);
  if (after === undefined) return clinics.execute();
  const isLater = sql<boolean>`(name, id) > (SELECT name, id FROM tenant WHERE id = ${after})`;
  return clinics.where(isLater).execute();
}

/** By the id. */
export async function findClinics(em: EntityManager, ids: readonly string[]) {
  const wanted = anyOf(new Set(ids));
  const rows = await tables(em).selectFrom('tenant').select(COLUMNS).where('id', '=', wanted).execute();
  return new Map(rows.map((clinic) => [clinic.id, clinic]));
}

export type FoundEndpoint = RowOf<'webhook_endpoint', 'id' | 'tenantId' | 'url' | 'status' | 'pausedUntil'>;

/** Endpoints of any clinic whose host contains the text, except deleted ones. */
export function findEndpointsAtHost(em: EntityManager, host: string, limit: number) {
  return tables(em)
    .selectFrom('webhook_endpoint')
    .select(['id', 'tenantId', 'url', 'status', 'pausedUntil'])
    .where('deletedAt', 'is', null)
    .where(sql<boolean>`strpos(lower(split_part(split_part(url, '://', 2), '/', 1)), lower(${host})) > 0`)
    .orderBy('id')
    .limit(limit)
    .execute();
}

export type FoundKey = RowOf<'api_key', 'id' | 'tenantId' | 'name' | 'publicId'>;

/** Keys whose public part has this prefix. @param publicId only letters and digits */
export function findKeysByPrefix(em: EntityManager, publicId: string, limit: number): Promise<FoundKey[]> {
  return tables(em)
    .selectFrom('api_key')
    .select(['id', 'tenantId', 'name', 'publicId'])
    .where((key) => key.fn<boolean>('starts_with', ['publicId', key.val(publicId)]))
    .orderBy('id')
    .limit(limit)
    .execute();
}

const FOUND_APPOINTMENT = columnsOf(
  'appointment',
  'id',
  'tenantId',
  'status',
  'startsAt',
  'endsAt',
  'checkedInAt',
);
export type FoundAppointment = z.infer<typeof FOUND_APPOINTMENT>;

/** Appointments of any clinic that have this external ID, or whose patient has it, ignoring case; latest first. */
export function findByExternalId(em: EntityManager, externalId: string, limit: number) {
  return findInEach(em, sql`(SELECT id FROM tenant) clinic`, isNumbered(externalId), limit);
}

/** Appointments that the clinics' other systems have refused, or not acknowledged in time, latest first. */
export function findUnacknowledged(em: EntityManager, tenantIds: readonly string[], limit: number) {
  const clinics = sql`
    (SELECT tenant_id AS id FROM acknowledgement_watch WHERE tenant_id = ${anyOf(tenantIds)} AND within_minutes IS NOT NULL) clinic
  `;
  return findInEach(em, clinics, sql<boolean>`unacknowledged_version = version`, limit);
}

/** Appointments with this phone. @param phones the hash of the phone in each clinic to search */
export function findByPhone(
  em: EntityManager,
  phones: readonly { tenantId: string; hash: string }[],
  limit: number,
): Promise<FoundAppointment[]> {
  const clinics = sql`
    unnest(${phones.map(({ tenantId }) => tenantId)}::uuid[], ${phones.map(({ hash }) => hash)}::text[]) clinic (id, hash)
  `;
  return findInEach(em, clinics, sql<boolean>`patient_phone_hash = clinic.hash`, limit);
}

/** @param clinics as `clinic`, with an `id` */
function findInEach(
  em: EntityManager,
  clinics: RawBuilder<unknown>,
  fits: RawBuilder<boolean>,
  limit: number,
) {
  return rowsOf(em, FOUND_APPOINTMENT)`
    SELECT found.id, clinic.id AS tenant_id, found.status, found.starts_at, found.ends_at, found.checked_in_at
    FROM ${clinics}
    CROSS JOIN LATERAL (
      -- Materialised, or PostgreSQL might walk through all appointments of a clinic in which none fits.
      WITH fitting AS MATERIALIZED (
        SELECT id, status, starts_at, ends_at, checked_in_at FROM appointment WHERE tenant_id = clinic.id AND ${fits}
      )
      SELECT * FROM fitting ORDER BY starts_at DESC, id DESC LIMIT ${limit}
    ) found
    ORDER BY found.starts_at DESC, found.id DESC
    LIMIT ${limit}
  `;
}
