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
      'This database was made by a development version from before the first release, and no update leads on from it: ' +
        'set DATABASE_URL to an empty database or, if npm start made this one, delete its data directory ' +
        '(.local, or what DATA_DIR says), and start again.',
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
