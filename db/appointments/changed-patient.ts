import { onlyValue, type EntityManager } from '../connection/statements.ts';

/**
 * Whether name and phone of the patient were both changed since the first of these appointments was booked, at once or one after the
 * other. A corrected name alone leaves the patient the same.
 * @param ids of an appointment and those that took its place
 */
export function isOfAnotherPatient(em: EntityManager, tenantId: string, ids: readonly string[]) {
  return onlyValue<boolean>(em)`
    SELECT
      coalesce(bool_or(changes -> 'fields' ? 'patientName') AND bool_or(changes -> 'fields' ? 'patientPhone'), false)
    FROM appointment_change
    WHERE tenant_id = ${tenantId}
      AND appointment_id = ANY(${[...ids]}::uuid[])
  `;
}
