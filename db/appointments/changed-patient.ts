import { z } from 'zod';
import { onlyValue, type EntityManager } from '../connection/statements.ts';

/**
 * Whether both name and phone of the patient have changed since the first of these appointments was booked, in one step
 * or in several. If only the name was corrected, it is still the same patient.
 * @param ids an appointment and those that replaced it
 */
export function isOfAnotherPatient(em: EntityManager, tenantId: string, ids: readonly string[]) {
  return onlyValue(em, z.boolean())`
    SELECT
      coalesce(bool_or(changes -> 'fields' ? 'patientName') AND bool_or(changes -> 'fields' ? 'patientPhone'), false)
    FROM appointment_change
    WHERE tenant_id = ${tenantId}
      AND appointment_id = ANY(${[...ids]}::uuid[])
  `;
}
