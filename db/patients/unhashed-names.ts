import { sql } from 'kysely';
import { SEALED_FIELDS } from '../../domain/encryption/sealed-fields.ts';
import type { EntityManager } from '../connection/open-database.ts';
import { tables, type RowOf } from '../connection/tables.ts';
import { openRows, sealRows } from '../encryption/field-seal.ts';

interface NamedAnew extends RowOf<'appointment', 'id' | 'tenantId' | 'patientName'> {
  nameHash: string | null;
  nameTokens: string | null;
}

/**
 * Gives the clinic's next names that a version before has written what they are found by, and seals them; returns how many:
 * fewer than `limit` at the end. Rows keep their version, since nothing is told of it.
 */
export async function hashNextNames(em: EntityManager, tenantId: string, limit: number): Promise<number> {
  // As the index appointment_name_not_hashed has it.
  const rows = await tables(em)
    .selectFrom('appointment')
    .select(['id', 'tenantId', 'patientName'])
    .where('tenantId', '=', tenantId)
    .where('nameHash', 'is', null)
    .where(sql<boolean>`patient_name <> 'erased'`)
    .orderBy('id')
    .limit(limit)
    .forNoKeyUpdate()
    .execute();
  if (rows.length === 0) return 0;
  const fields = SEALED_FIELDS.appointment;
  const anew = await sealRows<NamedAnew>(em, fields, (await openRows(em, fields, rows)) as never);
  await sql`
    UPDATE appointment
    SET patient_name = given.name, name_hash = given.hash, name_tokens = given.tokens
    FROM json_to_recordset(${JSON.stringify(anew.map(asGiven))}::json)
      AS given (id uuid, name text, hash text, tokens bigint[])
    WHERE appointment.tenant_id = ${tenantId} AND appointment.id = given.id
  `.execute(em.getKysely());
  return rows.length;
}

function asGiven({ id, patientName: name, nameHash: hash, nameTokens: tokens }: NamedAnew) {
  return { id, name, hash, tokens };
}
