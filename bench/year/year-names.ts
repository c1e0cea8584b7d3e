import { hashesOfName } from '../../domain/patients/name-hashes.ts';
import { openDatabaseOf } from '../service/open-database.ts';
import type { Service } from '../service/start-service.ts';

const FIRST =
  'Ana Bruno Carla Diogo Elisa Filipe Graça Hugo Inês João Luísa Mário Nádia Óscar Paula Rui Sara Tiago Vera Zeferino';
const LAST =
  'Almeida Barros Coelho Dias Esteves Fonseca Gonçalves Henriques Ideias Jardim Lopes Martins Nunes Oliveira Pires Queirós Ramos Santos Teixeira Vaz';
const [first, last] = [FIRST.split(' '), LAST.split(' ')];
const NAMES = first.flatMap((given, nr) =>
  last.map((family, place) => `${given} ${family} ${last[(3 * nr + 7 * place) % last.length]}`),
);

/** SQL: of the patient with this number, in a clinic of the table `clinic`. */
export function nameOf(patient: string): string {
  return `name.clinic_nr = clinic.nr AND name.nr = ${patient} % ${NAMES.length}`;
}

/**
 * In the schema `year`: what patients are called, with what each clinic finds them by. Clear, as names are written beside a version
 * that reads no others, for ten million of them would be sealed one by one.
 */
export async function makeNames(service: Service): Promise<void> {
  const { sql } = service;
  await using database = await openDatabaseOf(service);
  await sql.query(
    'CREATE TABLE year.name (clinic_nr integer, nr integer, name text, hash text, tokens bigint[])',
  );
  const { rows } = await sql.query<{ nr: number; tenantId: string }>(
    'SELECT nr, tenant_id AS "tenantId" FROM year.clinic',
  );
  for (const { nr: clinicNr, tenantId } of rows) {
    const cipher = await database.ciphers.of(tenantId);
    const names = NAMES.map((name, nr) => ({ clinicNr, nr, name, ...hashesOfName(cipher, name) }));
    await sql.query(
      `INSERT INTO year.name
       SELECT * FROM json_to_recordset($1::json)
         AS given ("clinicNr" integer, nr integer, name text, "nameHash" text, "nameTokens" bigint[])`,
      [JSON.stringify(names)],
    );
  }
  await sql.query('ANALYZE year.name');
}
