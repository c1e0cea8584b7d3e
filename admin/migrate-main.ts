import { readConfigOrExit } from '../adapters/config/read-config.ts';
import { databaseConfig } from '../adapters/config/service-config.ts';
import { migrate } from '../db/migrate.ts';

/** `npm run migrate`: brings the schema up to date and says what ran. */
const { database } = readConfigOrExit({ database: databaseConfig }, process.env);
const ran = await migrate(database.url);
process.stdout.write(`${JSON.stringify({ migrated: ran })}\n`);
