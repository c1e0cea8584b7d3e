import { sql } from 'kysely';
import { SEALED_FIELDS } from '../../domain/encryption/sealed-fields.ts';
import type { Sealed } from '../../domain/encryption/sealed-value.ts';
import type { EntityManager } from '../connection/open-database.ts';
import { openRows, sealRows } from '../encryption/field-seal.ts';

interface Named {
  id: string;
  tenantId: string;
  patientName: Sealed<string>;
}

interface NamedAnew extends Named {
  nameHash: string | null;
  nameTokens: string | null;
}

/**
 * Gives the clinic's next names that a version before has written what they are found by, and seals them; returns how many:
 * fewer than `limit` at the end. Rows keep their version, since nothing is told of it.
 */
export async function hashNextNames(em: EntityManager, tenantId: string, limit: number): Promise<number> {
  // As the index appointment_name_not_hashed has it.
  const { rows } = await sql<Named>`
    SELECT id, tenant_id AS "tenantId", patient_name AS "patientName"
    FROM appointment
    WHERE tenant_id = ${tenantId} AND name_hash IS NULL AND patient_name <> 'erased'
    ORDER BY id
    LIMIT ${limit}
    FOR NO KEY UPDATE
  `.execute(em.getKysely());
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
