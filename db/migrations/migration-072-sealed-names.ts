import { isWithinReach } from './clinic-walls.ts';
import { NonBlockingMigration } from './non-blocking-migration.ts';

/** Columns of an appointment, in the order of the view that was there; new ones stand last. */
const COLUMNS = `
  id, tenant_id, professional_id, service_type_id, patient_name, patient_phone_hash, starts_at, ends_at, block_from,
  block_until, blocks, status, source, patient_notes, metadata, external_id, cancellation_reason, checked_in_at,
  rescheduled_to_id, rescheduled_from_id, version, created_at, updated_at, patient_external_id, own_length,
  reinstated_at, call_id, name_hash, name_tokens
`;

/** A name is found by hashes beside it. Null where a patient was erased, and where a version before has written it. */
const HASHES = `
ALTER TABLE calendar_entry
  ADD COLUMN IF NOT EXISTS name_hash text,
  ADD COLUMN IF NOT EXISTS name_tokens bigint[]
`;

const VIEWS = `
CREATE OR REPLACE VIEW appointment WITH (security_invoker = true) AS
SELECT ${COLUMNS} FROM calendar_entry WHERE status <> 'held';

CREATE OR REPLACE VIEW found_visit AS
SELECT
  id, tenant_id, professional_id, service_type_id, patient_name, patient_phone_hash, patient_external_id, external_id,
  starts_at, ends_at, status, name_hash, name_tokens
FROM calendar_entry
WHERE status <> 'held' AND ${isWithinReach()};
`;

/** What a sealed name reads like; asked of each that is written, so no regular expression. */
const IS_SEALED = `name LIKE 'v3.________.________________.%'`;

/** The same of names that are not sealed. A sealed one is nobody's, and stands for itself in an index of the version before. */
const PLAIN_NAME = `
CREATE OR REPLACE FUNCTION plain_name(name text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN CASE WHEN ${IS_SEALED} THEN name
  ELSE lower(regexp_replace(normalize(name, NFKD), '[\\u0300-\\u036f[:space:]]+', '', 'g'))
END
`;

/** As `patient_key`, of the hash of a name where it has one. */
const HASHED_PATIENT_KEY = `
CREATE OR REPLACE FUNCTION hashed_patient_key(external_id text, phone_hash text, name_hash text, name text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN encode(
  sha256(convert_to(
    coalesce('e' || external_id, 'p' || phone_hash || coalesce(name_hash, plain_name(name))), 'UTF8'
  )), 'hex'
)
`;

/** The same of names that are not sealed; of a sealed one no words, since they would say nothing. */
const SEARCH_TERMS = `
CREATE OR REPLACE FUNCTION search_terms(tenant_id uuid, name text, patient_external_id text, external_id text)
RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN array_to_tsvector(
  CASE WHEN ${IS_SEALED} THEN '{}'
    ELSE string_to_array(tenant_id || '/' || replace(plain_words(name), ' ', ' ' || tenant_id || '/'), ' ')
  END
  || array_remove(
    ARRAY[tenant_id || '=' || lower(patient_external_id), tenant_id || '=' || lower(external_id)], NULL
  )
)
`;

/** Patients' names are sealed: docs/decisions/0025 */
export class SealedNamesMigration extends NonBlockingMigration {
  override up(): void {
    for (const part of [HASHES, VIEWS, PLAIN_NAME, HASHED_PATIENT_KEY, SEARCH_TERMS]) this.addSql(part);
    this.buildIndex(
      'appointment_by_name_tokens',
      'ON calendar_entry USING gin (name_tokens) WITH (fastupdate = off) WHERE name_tokens IS NOT NULL',
    );
    this.buildIndex(
      'appointment_by_hashed_patient',
      `ON calendar_entry (
        tenant_id, hashed_patient_key(patient_external_id, patient_phone_hash, name_hash, patient_name), starts_at
      ) WHERE status <> 'held'`,
    );
    this.buildIndex(
      'appointment_name_not_hashed',
      `ON calendar_entry (tenant_id, id) WHERE name_hash IS NULL AND status <> 'held' AND patient_name <> 'erased'`,
    );
  }
}
