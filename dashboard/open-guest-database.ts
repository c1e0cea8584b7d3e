import type { MasterSealing } from '../adapters/encryption/clinic-ciphers.ts';
import { openDatabase, type Database } from '../db/connection/open-database.ts';
import { GUEST_ROLE } from '../db/migrations/clinic-walls.ts';

/** Fewer than staff have; DATABASE_POOL_SIZE does not change it. */
const POOL_SIZE = 5;

/** For public pages: whatever goes wrong in them, they see no more than a booking needs. docs/operations.md#walls-between-clinics */
export function openGuestDatabase(
  { database, publicDatabaseUrl }: { database: { url: string }; publicDatabaseUrl?: string | undefined },
  sealing: MasterSealing,
): Promise<Database> {
  return openDatabase({
    url: publicDatabaseUrl ?? database.url,
    poolSize: POOL_SIZE,
    roleOfClinics: GUEST_ROLE,
    applicationName: 'clinic-public',
    sealing,
  });
}
