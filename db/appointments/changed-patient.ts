import { z } from 'zod';
import { onlyValue, type EntityManager } from '../connection/statements.ts';

/**
 * Whether both name and phone of the patient changed since the first of these appointments was booked, together or one
 * after the other. After a corrected name alone it is the same patient.
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
