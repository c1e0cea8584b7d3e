import { readSealing } from '../../admin/service-keys.ts';
import { openDatabase, type Database } from '../../db/connection/open-database.ts';
import { dataDirectory } from '../../dev/data-directory/data-directory.ts';
import { keepLocalKeys } from '../../dev/data-directory/local-keys.ts';
import type { Service } from './start-service.ts';

/** That of the service, with what it seals and hashes. */
export async function openDatabaseOf(service: Service): Promise<Database> {
  const { databaseUrl } = await service.running();
  const { encryptionKey } = keepLocalKeys(dataDirectory(service.dataDirectory).keys);
  const sealing = readSealing({ ENCRYPTION_KEY: encryptionKey });
  return openDatabase({ url: databaseUrl, sealing, poolSize: 1, applicationName: 'clinic-bench' });
}
