import type { Environment } from '../adapters/config/read-config.ts';
import type { CommandContext } from '../commands/command-context.ts';
import type { Database } from '../db/connection/open-database.ts';

/** What a command works with. */
export interface CommandDependencies {
  database: Database;
  databaseUrl: string;
  /** Complete: the local service's values are filled in. */
  environment: Environment;
  /** The operator, now. */
  context: CommandContext;
  /** Says something meanwhile: a line on stderr. */
  tell: (line: string) => void;
}
