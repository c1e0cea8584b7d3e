import { z } from 'zod';
import { readConfigOrExit } from '../adapters/config/read-config.ts';
import { databaseConfig } from '../adapters/config/service-config.ts';
import { grantToApplication } from '../db/grant-to-application.ts';
import { migrate } from '../db/migrate.ts';

/** The role of the processes, when it is not the owner of the schema. */
const applicationRole = z
  .object({ DATABASE_APPLICATION_ROLE: z.string().optional() })
  .transform((variables) => variables.DATABASE_APPLICATION_ROLE);

/** `npm run migrate`: brings the schema up to date and says what ran. */
const { database, role } = readConfigOrExit({ database: databaseConfig, role: applicationRole }, process.env);
const migrated = await migrate(database.url);
if (role !== undefined) await grantToApplication(database.url, role);
process.stdout.write(`${JSON.stringify({ migrated })}\n`);
