import { z } from 'zod';
import type { Environment } from '../adapters/config/read-config.ts';
import type { CommandContext } from '../commands/command-context.ts';
import { requireTenant } from '../commands/clinic/lock-tenant.ts';
import type { Database, EntityManager } from '../db/connection/open-database.ts';
import { UsageError } from './failures.ts';
import { idOf } from './options.ts';

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

/** Options by their camelCase names. They arrive as text; each schema turns its text into what the command needs. */
type OptionShape = Record<string, z.ZodType<unknown, string | undefined>>;
type OptionValues<Shape extends OptionShape> = { [Name in keyof Shape]: z.infer<Shape[Name]> };

export interface Answer {
  /** Printed as the one JSON document. */
  output: unknown;
  /** The fields that a terminal shows of each item of a list; null when the output is none. */
  columns: readonly string[] | null;
  /** False makes the exit code 1 although there is a document to print. */
  succeeded: boolean;
}

/** What the help says of a command. */
interface Told<Shape extends OptionShape> {
  /** What the operator types, such as `tenant create`. */
  words: string;
  summary: string;
  /** The option that is typed by itself, without its flag. */
  argument?: keyof Shape & string;
  options: Shape;
}

export interface AdminCommand extends Told<OptionShape> {
  /** Reads what was typed. @throws UsageError with every problem at once */
  prepare(typed: Record<string, string>): (dependencies: CommandDependencies) => Promise<Answer>;
}

interface Definition<Shape extends OptionShape, Output> extends Told<Shape> {
  /** What the options must be together. @throws UsageError */
  check?: (this: void, options: OptionValues<Shape>) => void;
  run: (this: void, options: OptionValues<Shape>, dependencies: CommandDependencies) => Promise<Output>;
  /** The fields that a terminal shows of each item of a list. */
  columns?: readonly string[];
  /** Judges the output; every output is a success by default. */
  succeeded?: (output: Output) => boolean;
}

/** One command as a value: the program, its help and its checks are all made from it. */
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

/** A command that lists what a clinic has. @param found of a clinic that is there, as it is shown */
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
