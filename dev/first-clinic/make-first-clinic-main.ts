import { createSealing } from '../../adapters/encryption/clinic-ciphers.ts';
import { keysConfig } from '../../adapters/config/keys-config.ts';
import { readConfigOrExit } from '../../adapters/config/read-config.ts';
import { databaseConfig, modeConfig } from '../../adapters/config/service-config.ts';
import { createPhoneHash } from '../../adapters/phones/phone-hash.ts';
import { openDatabase } from '../../db/connection/open-database.ts';
import { makeFirstClinic } from './make-first-clinic.ts';

/** Prints the clinic for trying things out and two new keys. Argument: the existing clinic, if any. */
const config = readConfigOrExit(
  { database: databaseConfig, keys: keysConfig, mode: modeConfig },
  process.env,
);
const { phoneHash: phoneHashKeys, encryption } = config.keys;
await using database = await openDatabase({
  ...config.database,
  sealing: createSealing(encryption),
  poolSize: 1,
  applicationName: 'clinic-start',
});
const phoneHash = createPhoneHash(phoneHashKeys);
const clinic = await database.write((em) =>
  makeFirstClinic(em, { mode: config.mode, tenantId: process.argv[2], now: new Date() }, phoneHash),
);
process.stdout.write(JSON.stringify(clinic));
