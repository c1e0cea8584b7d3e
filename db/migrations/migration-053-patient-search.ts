import { NonBlockingMigration } from './non-blocking-migration.ts';

/** The words of a name without accents and capitals, one space between them; of a longer word its first 50 letters. */
const PLAIN_WORDS = `
CREATE OR REPLACE FUNCTION plain_words(name text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN btrim(regexp_replace(
  regexp_replace(
    lower(regexp_replace(normalize(name, NFKD), '[\\u0300-\\u036f]+', '', 'g')),
    '[[:space:]!-/:-@[-\`{-~\\u2018\\u2019]+', ' ', 'g'
  ),
  '([^ ]{50})[^ ]+', '\\1', 'g'
))
`;

/**
 * What an appointment is found by: the words of its patient's name and its numbers in the clinic's other system, in small
 * letters. Each begins with the clinic, so that a search reads the clinic's part of the index and no more.
 */
const SEARCH_TERMS = `
CREATE OR REPLACE FUNCTION search_terms(tenant_id uuid, name text, patient_external_id text, external_id text)
RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN array_to_tsvector(
  string_to_array(tenant_id || '/' || replace(plain_words(name), ' ', ' ' || tenant_id || '/'), ' ')
  || array_remove(
    ARRAY[tenant_id || '=' || lower(patient_external_id), tenant_id || '=' || lower(external_id)], NULL
  )
)
`;

/** A number of the other system in the terms of the index. */
const NUMBER_QUESTION = `
CREATE OR REPLACE FUNCTION number_question(tenant_id uuid, number text)
RETURNS tsquery LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN (
  '''' || tenant_id || '=' || replace(replace(lower(number), '\\', '\\\\'), '''', '''''') || ''''
)::tsquery
`;

/** Words of a name in the terms of the index, each of which begins one of the name’s; or a number. */
const SEARCH_QUESTION = `
CREATE OR REPLACE FUNCTION search_question(tenant_id uuid, question text)
RETURNS tsquery LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN CASE WHEN plain_words(question) = '' THEN number_question(tenant_id, question)
  ELSE number_question(tenant_id, question) || (
    '''' || tenant_id || '/' || replace(plain_words(question), ' ', ''':* & ''' || tenant_id || '/') || ''':*'
  )::tsquery
END
`;

/** Finds a clinic's patients by name and by their numbers in its other system. docs/decisions/0021 */
export class PatientSearchMigration extends NonBlockingMigration {
  override up(): void {
    for (const part of [PLAIN_WORDS, SEARCH_TERMS, NUMBER_QUESTION, SEARCH_QUESTION]) this.addSql(part);
    this.buildIndex(
      'appointment_by_search_terms',
      `ON calendar_entry USING gin (search_terms(tenant_id, patient_name, patient_external_id, external_id))
       WITH (fastupdate = off) WHERE status <> 'held'`,
    );
  }
}
