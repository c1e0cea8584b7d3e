import type { Database } from '../../db/connection/open-database.ts';
import { sealRows } from '../../db/encryption/field-seal.ts';
import type { StoredAppointment } from '../../db/entities/appointment.entity.ts';
import { idWith } from './plans/pages-read.ts';

type Named = Pick<StoredAppointment, 'id' | 'tenantId' | 'patientName'>;

/**
 * A table `sealed_name` (i, name, hash, tokens) for the connection of a pool of one, from which SQL makes many appointments:
 * what stands in the row with the id `uuid(i)` while its patient has this name.
 */
export async function makeSealedNames(
  database: Pick<Database, 'em'>,
  tenantId: string,
  names: readonly string[],
): Promise<void> {
  const rows = names.map((patientName, at) => ({ id: idWith(at + 1), tenantId, patientName }));
  const sealed = await sealRows<Named>(database.em(), 'appointment', rows);
  await database.em().execute(
    `CREATE TEMP TABLE sealed_name AS
     SELECT i, "patientName" AS name, "nameHash" AS hash, "nameTokens" AS tokens
     FROM ROWS FROM (
       json_to_recordset(?::json) AS ("patientName" text, "nameHash" text, "nameTokens" bigint[])
     ) WITH ORDINALITY AS sealed ("patientName", "nameHash", "nameTokens", i)`,
    [JSON.stringify(sealed)],
  );
  await database.em().execute('ANALYZE sealed_name');
}
