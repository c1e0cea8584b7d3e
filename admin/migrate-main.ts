import { z } from 'zod';
import { readConfigOrExit, variable } from '../adapters/config/read-config.ts';
import { databaseConfig, optionalModeConfig } from '../adapters/config/service-config.ts';
import { claimMode, OtherModeError, readMode, refuseOtherMode } from '../db/deployment-mode.ts';
import { grantToApplication } from '../db/grant-to-application.ts';
import { migrate } from '../db/migrate.ts';
import { UnreleasedSchemaError } from '../db/unreleased-schema.ts';
import type { ServiceMode } from '../domain/service-mode.ts';

/** The role of the processes, if it does not own the schema. */
const applicationRole = variable('DATABASE_APPLICATION_ROLE', z.string().optional());

/** `npm run migrate`: updates the schema and prints the migrations. */
const { database, role, mode } = readConfigOrExit(
  { database: databaseConfig, role: applicationRole, mode: optionalModeConfig },
  process.env,
);
try {
  const migrated = await bringUpToDate(database.url, mode);
  if (role !== undefined) await grantToApplication(database.url, role);
  process.stdout.write(`${JSON.stringify({ migrated })}\n`);
} catch (error) {
  if (!(error instanceof OtherModeError || error instanceof UnreleasedSchemaError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

/** With a mode given, refuses a database of another mode, and sets the mode of a new one. */
async function bringUpToDate(url: string, mode: ServiceMode | undefined): Promise<string[]> {
  if (mode === undefined) return migrate(url);
  refuseOtherMode(await readMode(url), mode);
  const migrated = await migrate(url);
  refuseOtherMode(await claimMode(url, mode), mode);
  return migrated;
}
