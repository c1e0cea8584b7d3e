import type { Database } from '../../db/connection/open-database.ts';
import { findOwnSession, findWalls } from '../../db/connection/find-walls.ts';
import { Ailment } from './check.ts';

/** Whether a request sees its own clinic alone: docs/operations.md#walls-between-clinics */
export async function examineWalls(database: Database): Promise<string> {
  const { role, seesAll } = await database.ofClinics([]).read((em) => findOwnSession(em));
  if (seesAll) throw new Ailment(`requests run as ${role}, which sees every clinic`);
  const { tables, bare } = await findWalls(database.em());
  if (bare.length > 0) throw new Ailment(`nothing keeps the clinics apart in ${bare.join(', ')}`);
  return `requests run as ${role}; ${tables} tables keep the clinics apart`;
}
