import { z } from 'zod';
import { parseDatabaseAddress } from '../../domain/database-address.ts';
import { SERVICE_MODES } from '../../domain/service-mode.ts';
import { variable, variables } from './read-config.ts';

/** A port number; 0 means any free port. */
export const portNumber = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a port from 0 to 65535')
  .transform(Number)
  .refine((value) => value <= 65_535, 'must be a port from 0 to 65535');

const mode = z.enum(SERVICE_MODES, 'must be "live" or "test"');

/** SERVICE_MODE. The launcher has a default; a production process requires it. */
export const modeConfig = variable('SERVICE_MODE', mode);

/** SERVICE_MODE, optional, for tools that work in both modes. */
export const optionalModeConfig = variable('SERVICE_MODE', mode.optional());

export const databaseAddress = z
  .string()
  .refine((text) => parseDatabaseAddress(text) !== null, 'must be a postgres:// address');

/**
 * DATABASE_URL and DATABASE_POOL_SIZE, whose defaults are in db/connection/open-database.ts and worker/run-worker.ts.
 */
export const databaseConfig = z
  .object({
    DATABASE_URL: databaseAddress,
    DATABASE_POOL_SIZE: z
      .string()
      .regex(/^[1-9]\d{0,2}$/, 'must be a number from 1 to 999')
      .transform(Number)
      .optional(),
  })
  .transform(({ DATABASE_URL: url, DATABASE_POOL_SIZE: poolSize }) => ({
    url,
    ...(poolSize !== undefined && { poolSize }),
  }));

/** PUBLIC_DATABASE_URL: the login of public pages; DATABASE_URL by default. */
export const publicDatabaseConfig = variable('PUBLIC_DATABASE_URL', databaseAddress.optional());

/** LOG_LEVEL */
export const logConfig = variables({
  level: [
    'LOG_LEVEL',
    z
      .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'must be a pino level')
      .default('info'),
  ],
});
