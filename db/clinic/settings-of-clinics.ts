import { columnsOf, listOf } from '../connection/columns.ts';
import { prepared, rowsOf, type EntityManager } from '../connection/statements.ts';

const SETTINGS = columnsOf('tenant', 'id', 'country', 'config');

/** Country and settings of the clinics with these ids, in any order. */
export function findSettingsOfClinics(em: EntityManager, ids: readonly string[]) {
  return rowsOf(prepared(em), SETTINGS)`
    SELECT ${listOf(SETTINGS)}
    FROM tenant
    WHERE id = ANY(${[...ids]}::uuid[])
  `;
}
