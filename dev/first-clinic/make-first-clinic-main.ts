import { readConfigOrExit } from '../../adapters/config/read-config.ts';
import { databaseConfig, modeConfig } from '../../adapters/config/service-config.ts';
import { openDatabase } from '../../db/connection/open-database.ts';
import { makeFirstClinic } from './make-first-clinic.ts';

/** Prints the clinic to try things with, and two new keys of it. Argument: the clinic that is there already, if any. */
const config = readConfigOrExit({ database: databaseConfig, mode: modeConfig }, process.env);
await using database = await openDatabase({
  ...config.database,
  poolSize: 1,
  applicationName: 'clinic-start',
});
const clinic = await database.write((em) =>
  makeFirstClinic(em, { mode: config.mode, tenantId: process.argv[2], now: new Date() }),
);
process.stdout.write(JSON.stringify(clinic));
