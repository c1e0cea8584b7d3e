import { readSealing } from '../../admin/service-keys.ts';
import { openDatabase, type Database } from '../../db/connection/open-database.ts';
import { dataDirectory } from '../../dev/data-directory/data-directory.ts';
import { keepLocalKeys } from '../../dev/data-directory/local-keys.ts';
import { sealRows } from '../../db/encryption/field-seal.ts';
import type { StoredAppointment } from '../../db/entities/appointment.entity.ts';
import { cloneRows, type Clones } from './clone-rows.ts';
import type { Service } from './start-service.ts';

/** Copies of an appointment that the service has booked, each of another patient and a second older than the one before. */
export interface AppointmentClones extends Pick<Clones, 'count' | 'changes' | 'parameters'> {
  tenantId: string;
  templateId: string;
}

export async function cloneAppointments(service: Service, clones: AppointmentClones): Promise<void> {
  const { templateId, count, changes, parameters = [] } = clones;
  await sealNames(service, clones);
  await cloneRows(service.sql, {
    table: 'calendar_entry',
    template: ['id', templateId],
    count,
    changes: `(SELECT ${changes} || jsonb_build_object(
        'id', sealed.id, 'patient_name', sealed.name, 'name_hash', sealed.hash, 'name_tokens', sealed.tokens,
        'patient_phone_hash', md5(sealed.id::text))
      FROM sealed_name AS sealed
      WHERE sealed.i = i.i)`,
    parameters,
  });
  await service.sql.query('DROP TABLE sealed_name');
}

const A_PAGE = 10_000;
/** SQL: the UUIDv7 of copy `i`, a second before that of copy `i - 1`; the template's is $3. */
const ID_OF_COPY = `encode(set_byte(decode(
  lpad(to_hex(('x' || left(replace($3::text, '-', ''), 12))::bit(48)::bigint - 1000 * i), 12, '0') ||
  '7' || left(md5($3::text || i), 19), 'hex'), 8, 128), 'hex')::uuid`;

/** A name opens in its own row alone, so each copy has one of its own: the table `sealed_name`, for this connection. */
async function sealNames(
  service: Service,
  { tenantId, templateId, count }: AppointmentClones,
): Promise<void> {
  await using database = await openDatabaseOf(service);
  await service.sql.query(
    'CREATE TEMP TABLE sealed_name (i integer PRIMARY KEY, id uuid, name text, hash text, tokens bigint[])',
  );
  for (let from = 1; from <= count; from += A_PAGE) {
    const { rows } = await service.sql.query<{ i: number; id: string }>(
      `SELECT i, ${ID_OF_COPY} AS id FROM generate_series($1::int, $2::int) AS i`,
      [from, Math.min(count, from + A_PAGE - 1), templateId],
    );
    const named = rows.map(({ i, id }) => ({ i, id, tenantId, patientName: 'Bench Patient' }));
    const sealed = await sealRows<Named>(database.em(), 'appointment', named);
    await service.sql.query(
      `INSERT INTO sealed_name
       SELECT i, id, "patientName", "nameHash", "nameTokens"
       FROM json_to_recordset($1::json)
         AS given (i integer, id uuid, "patientName" text, "nameHash" text, "nameTokens" bigint[])`,
      [JSON.stringify(sealed)],
    );
  }
}

type Named = Pick<StoredAppointment, 'id' | 'tenantId' | 'patientName'> & { i: number };

/** That of the service, with what it seals and hashes. */
async function openDatabaseOf(service: Service): Promise<Database> {
  const { databaseUrl } = await service.running();
  const { encryptionKey } = keepLocalKeys(dataDirectory(service.dataDirectory).keys);
  const sealing = readSealing({ ENCRYPTION_KEY: encryptionKey });
  return openDatabase({ url: databaseUrl, sealing, poolSize: 1, applicationName: 'clinic-bench' });
}
