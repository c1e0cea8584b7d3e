import { CLINIC_ROLE, isInClinicScope } from '../clinic-walls.ts';

const KEY = `
-- Who an appointment's patient is: the number that the clinic's other system gave them, else phone and name. Hashed, because
-- it is also written down how far a search among patients has come. Null: nobody any more, for they were erased.
CREATE FUNCTION hashed_patient_key(external_id text, phone_hash text, name_hash text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN encode(sha256(convert_to(coalesce('e' || external_id, 'p' || phone_hash || name_hash), 'UTF8')), 'hex');

CREATE INDEX appointment_by_hashed_patient ON calendar_entry (
  tenant_id, hashed_patient_key(patient_external_id, patient_phone_hash, name_hash), starts_at
) WHERE status <> 'held';
`;

/** docs/decisions/0021 */
const SEARCH = `
-- By the hashes of how the words of a name begin.
CREATE INDEX appointment_by_name_tokens ON calendar_entry USING gin (name_tokens)
  WITH (fastupdate = off) WHERE name_tokens IS NOT NULL;
-- By the numbers of the clinic's other system, as somebody types them.
CREATE INDEX appointment_by_typed_number ON calendar_entry (tenant_id, lower(external_id))
  WHERE external_id IS NOT NULL;
CREATE INDEX appointment_by_typed_patient_number ON calendar_entry (tenant_id, lower(patient_external_id))
  WHERE patient_external_id IS NOT NULL;

-- Finds by name or by a list of numbers, and so has a wall of its own.
CREATE VIEW found_visit AS
SELECT
  id, tenant_id, professional_id, service_type_id, patient_name, name_hash, name_tokens, patient_phone_hash,
  patient_external_id, external_id, starts_at, ends_at, status
FROM calendar_entry
WHERE status <> 'held' AND ${isInClinicScope()};
GRANT SELECT ON found_visit TO ${CLINIC_ROLE};
`;

export const PATIENTS = [KEY, SEARCH].join('');
