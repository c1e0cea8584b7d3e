import { CLINIC_ROLE, isWithinReach } from '../clinic-walls.ts';

/** What a sealed name reads like; asked of each that is written, so no regular expression. It is nobody's, and has no words. */
const IS_SEALED = `name LIKE 'v3.________.________________.%'`;

const NAMES = `
-- Letters alone, so that “João  Silva” and “joao silva” are one name: docs/recall.md#who-is-one-patient
CREATE FUNCTION plain_name(name text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN CASE WHEN ${IS_SEALED} THEN name
  ELSE lower(regexp_replace(normalize(name, NFKD), '[\\u0300-\\u036f[:space:]]+', '', 'g'))
END;

-- The words of a name without accents and capitals, one space between them; of a longer word its first 50 letters.
CREATE FUNCTION plain_words(name text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN btrim(regexp_replace(
  regexp_replace(
    lower(regexp_replace(normalize(name, NFKD), '[\\u0300-\\u036f]+', '', 'g')),
    '[[:space:]!-/:-@[-\`{-~\\u2018\\u2019]+', ' ', 'g'
  ),
  '([^ ]{50})[^ ]+', '\\1', 'g'
));
`;

/** Names that a process wrote without sealing them get their hashes soon, and are found by their letters until then. */
const KEY = `
-- Who an appointment's patient is: the number that the clinic's other system gave them, else phone and name. Hashed, because
-- it is also written down how far a search among patients has come.
CREATE FUNCTION hashed_patient_key(external_id text, phone_hash text, name_hash text, name text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN encode(
  sha256(convert_to(
    coalesce('e' || external_id, 'p' || phone_hash || coalesce(name_hash, plain_name(name))), 'UTF8'
  )), 'hex'
);

CREATE INDEX appointment_by_hashed_patient ON calendar_entry (
  tenant_id, hashed_patient_key(patient_external_id, patient_phone_hash, name_hash, patient_name), starts_at
) WHERE status <> 'held';
CREATE INDEX appointment_name_not_hashed ON calendar_entry (tenant_id, id)
  WHERE name_hash IS NULL AND status <> 'held' AND patient_name <> 'erased';
`;

/** docs/decisions/0021 */
const SEARCH = `
-- What an appointment is found by: its numbers in the clinic's other system, in small letters, and the words of a name that
-- is not sealed. Each begins with the clinic, so that a search reads the clinic's part of the index and no more.
CREATE FUNCTION search_terms(tenant_id uuid, name text, patient_external_id text, external_id text)
RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN array_to_tsvector(
  CASE WHEN ${IS_SEALED} THEN '{}'
    ELSE string_to_array(tenant_id || '/' || replace(plain_words(name), ' ', ' ' || tenant_id || '/'), ' ')
  END
  || array_remove(
    ARRAY[tenant_id || '=' || lower(patient_external_id), tenant_id || '=' || lower(external_id)], NULL
  )
);

-- A number of the other system in the terms of the index.
CREATE FUNCTION number_question(tenant_id uuid, number text)
RETURNS tsquery LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN (
  '''' || tenant_id || '=' || replace(replace(lower(number), '\\', '\\\\'), '''', '''''') || ''''
)::tsquery;

-- Words of a name in the terms of the index, each of which begins one of the name’s; or a number.
CREATE FUNCTION search_question(tenant_id uuid, question text)
RETURNS tsquery LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN CASE WHEN plain_words(question) = '' THEN number_question(tenant_id, question)
  ELSE number_question(tenant_id, question) || (
    '''' || tenant_id || '/' || replace(plain_words(question), ' ', ''':* & ''' || tenant_id || '/') || ''':*'
  )::tsquery
END;

CREATE INDEX appointment_by_search_terms ON calendar_entry
  USING gin (search_terms(tenant_id, patient_name, patient_external_id, external_id))
  WITH (fastupdate = off) WHERE status <> 'held';
-- Sealed names, by the hashes of how their words begin.
CREATE INDEX appointment_by_name_tokens ON calendar_entry USING gin (name_tokens)
  WITH (fastupdate = off) WHERE name_tokens IS NOT NULL;

-- Finds by name or by a list of numbers, and so has a wall of its own.
CREATE VIEW found_visit AS
SELECT
  id, tenant_id, professional_id, service_type_id, patient_name, name_hash, name_tokens, patient_phone_hash,
  patient_external_id, external_id, starts_at, ends_at, status
FROM calendar_entry
WHERE status <> 'held' AND ${isWithinReach()};
GRANT SELECT ON found_visit TO ${CLINIC_ROLE};
`;

export const PATIENTS = [NAMES, KEY, SEARCH].join('');
