/** Invalid command line: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A valid command failed: exit code 1. */
export class AdminFailure extends Error {
  override readonly name = 'AdminFailure';
}
