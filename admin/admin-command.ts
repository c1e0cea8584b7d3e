import { z } from 'zod';
import type { Environment } from '../adapters/config/read-config.ts';
import type { CommandContext } from '../commands/command-context.ts';
import { requireTenant } from '../commands/clinic/lock-tenant.ts';
import type { Database, EntityManager } from '../db/connection/open-database.ts';
import { UsageError } from './failures.ts';
import { idOf } from './options.ts';

/** What a command uses. */
export interface CommandDependencies {
  database: Database;
  databaseUrl: string;
  /** The environment variables, including the values of the local service. */
  environment: Environment;
  /** The operator and the current time. */
  context: CommandContext;
  /** Prints a progress line to stderr. */
  tell: (line: string) => void;
}

/** Options by camelCase name. They arrive as text; each schema parses its text. */
type OptionShape = Record<string, z.ZodType<unknown, string | undefined>>;
type OptionValues<Shape extends OptionShape> = { [Name in keyof Shape]: z.infer<Shape[Name]> };

export interface Answer {
  /** Printed as one JSON document. */
  output: unknown;
  /** The columns of a list on a terminal; null for other output. */
  columns: readonly string[] | null;
  /** False sets the exit code to 1 although there is output. */
  succeeded: boolean;
}

/** The help texts of a command. */
interface Told<Shape extends OptionShape> {
  /** The words to type, such as `tenant create`. */
  words: string;
  summary: string;
  /** The positional option, typed without its flag. */
  argument?: keyof Shape & string;
  options: Shape;
}

export interface AdminCommand extends Told<OptionShape> {
  /** Parses the options. @throws UsageError with all problems */
  prepare(typed: Record<string, string>): (dependencies: CommandDependencies) => Promise<Answer>;
}

interface Definition<Shape extends OptionShape, Output> extends Told<Shape> {
  /** Checks the combination of options. @throws UsageError */
  check?: (this: void, options: OptionValues<Shape>) => void;
  run: (this: void, options: OptionValues<Shape>, dependencies: CommandDependencies) => Promise<Output>;
  /** The columns of a list on a terminal. */
  columns?: readonly string[];
  /** Whether the output means success; true by default. */
  succeeded?: (output: Output) => boolean;
}

/** Defines a command; the program, its help and its checks are derived from it. */
export function adminCommand<Shape extends OptionShape, Output>(
  definition: Definition<Shape, Output>,
): AdminCommand {
  const { check, run, columns = null, succeeded, ...told } = definition;
  return {
    ...told,
    prepare(typed) {
      const values = readOptions(told.options, typed);
      check?.(values);
      return async (dependencies) => {
        const output = await run(values, dependencies);
        return { output, columns, succeeded: succeeded?.(output) ?? true };
      };
    },
  };
}

/** `expiresInDays` is typed as `--expires-in-days`. */
export function flagOf(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function readOptions<Shape extends OptionShape>(options: Shape, typed: Record<string, string>) {
  const result = z.object(options).safeParse(typed);
  if (result.success) return result.data as OptionValues<Shape>;
  const problems = result.error.issues.map((issue) => {
    const name = String(issue.path[0]);
    return `${flagOf(name)} ${typed[name] === undefined ? 'is required' : issue.message}`;
  });
  throw new UsageError([...new Set(problems)].join('\n'));
}

/** A command that lists a clinic's items. @param found reads the items of an existing clinic */
export function listOfClinic(
  told: Pick<AdminCommand, 'words' | 'summary'> & { columns: readonly string[] },
  found: (em: EntityManager, tenantId: string, now: Date) => Promise<object[]>,
): AdminCommand {
  return adminCommand({
    ...told,
    options: { tenant: idOf('clinic') },
    async run({ tenant }, { database, context }) {
      const em = database.em();
      await requireTenant(em, tenant);
      return { items: await found(em, tenant, context.now) };
    },
  });
}
