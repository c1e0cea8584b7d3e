/**
 * The migration that creates the schema of the first release. Before the release it may be changed under a new name and
 * file name, so that databases created by the old one are refused.
 */
export const BASELINE = '001-first-release';

/** The schema comes from migrations before the baseline and cannot be migrated. */
export class UnreleasedSchemaError extends Error {
  override readonly name = 'UnreleasedSchemaError';

  constructor() {
    super(
      'This database was created by a development version before the first release and cannot be updated: ' +
        'set DATABASE_URL to an empty database or, if "npm start" created this database, delete its data directory ' +
        '(.local, or the directory in DATA_DIR) and start again.',
    );
  }
}

/**
 * A database migrated by a later version is accepted, so that this version can be used again.
 * @param executed the names of its migrations
 * @throws UnreleasedSchemaError
 */
export function refuseUnreleasedSchema(executed: readonly string[]): void {
  if (executed.length > 0 && !executed.includes(BASELINE)) throw new UnreleasedSchemaError();
}
