/** What was typed is not a command: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The command was understood and cannot be carried out: exit code 1. */
export class AdminFailure extends Error {
  override readonly name = 'AdminFailure';
}
