import { CLINIC_ROLE, isInClinicScope, wallAround } from '../clinic-walls.ts';

/** Who was shown which patients: docs/decisions/0026. They outlive the clinic as well. */
export const READS = `
CREATE TABLE patient_read (
  -- When, too: a UUIDv7.
  id uuid PRIMARY KEY,
  tenant_id uuid NOT NULL,
  actor text NOT NULL,
  kind text NOT NULL,
  -- Of appointments or calls, as the kind says.
  subject_ids uuid[] NOT NULL,
  request_ids uuid[] NOT NULL
);
CREATE INDEX patient_read_of_clinic ON patient_read (tenant_id, id);
CREATE INDEX patient_read_subjects ON patient_read USING gin (subject_ids);
${wallAround('patient_read', { rights: 'SELECT', admission: { rights: 'SELECT (id), INSERT' } })}

-- Finds by a list of ids, and so has a wall of its own.
CREATE VIEW shown_patient AS
SELECT id, tenant_id, actor, kind, subject_ids, request_ids
FROM patient_read
WHERE ${isInClinicScope()};
GRANT SELECT ON shown_patient TO ${CLINIC_ROLE};
`;
