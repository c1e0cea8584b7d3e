INSERT INTO appointments (id, version, status, starts_at, ends_at, patient_name, rescheduled_to_id)
VALUES (:id, :version, :status, :startsAt, :endsAt, :patientName, :rescheduledToId)
ON CONFLICT (id) DO UPDATE SET
  version = excluded.version,
  status = excluded.status,
  starts_at = excluded.starts_at,
  ends_at = excluded.ends_at,
  patient_name = excluded.patient_name,
  rescheduled_to_id = excluded.rescheduled_to_id
WHERE appointments.version < excluded.version
