/**
 * The name of the migration that makes the schema of the first release. Until that is out the migration may be changed; with another
 * name, of its file too, so that databases which it made before are refused.
 */
export const BASELINE = '001-first-release';

/** The schema was made by migrations of before the baseline, and none leads from there to it. */
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
 * A database that a later version has brought up to date is none of these: anyone who goes back to this one may use it.
 * @param executed the names of the migrations that it has run
 * @throws UnreleasedSchemaError
 */
export function refuseUnreleasedSchema(executed: readonly string[]): void {
  if (executed.length > 0 && !executed.includes(BASELINE)) throw new UnreleasedSchemaError();
}
