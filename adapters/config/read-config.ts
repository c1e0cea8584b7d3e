import { z } from 'zod';

/** Environment variables as a process receives them. */
export type Environment = Readonly<Record<string, string | undefined>>;

type Pieces = Record<string, z.ZodType>;
type ConfigOf<P extends Pieces> = { [Name in keyof P]: z.infer<P[Name]> };

/** A configuration part from one variable. */
export function variable<Schema extends z.ZodType>(name: string, schema: Schema) {
  return z.object({ [name]: schema }).transform((read) => read[name] as z.output<Schema>);
}

type Named = Record<string, readonly [variable: string, schema: z.ZodType]>;

/** A configuration part from several variables, with their names in the code. */
export function variables<const Names extends Named>(names: Names) {
  const shape: Record<string, z.ZodType> = Object.fromEntries(Object.values(names));
  return z.object(shape).transform((read) => {
    const named = Object.entries(names).map(([name, [variable]]) => [name, read[variable]]);
    return Object.fromEntries(named) as { [Name in keyof Names]: z.output<Names[Name][1]> };
  });
}

/** The environment is invalid. Lists every problem, never a value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The configuration is invalid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

/**
 * Reads each part from the environment. An empty variable counts as unset.
 * @throws ConfigError with all problems
 */
export function readConfig<P extends Pieces>(pieces: P, environment: Environment): ConfigOf<P> {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const read = Object.entries(pieces).map(([name, piece]) => [name, piece.safeParse(given)] as const);
  const issues = read.flatMap(([, result]) => result.error?.issues ?? []);
  if (issues.length > 0) throw new ConfigError([...new Set(issues.map(describe))]);
  return Object.fromEntries(read.map(([name, result]) => [name, result.data])) as ConfigOf<P>;
}

/** For the start of a process: prints every problem on stderr and exits with code 1. */
export function readConfigOrExit<P extends Pieces>(pieces: P, environment: Environment): ConfigOf<P> {
  try {
    return readConfig(pieces, environment);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

function describe(issue: z.core.$ZodIssue): string {
  const isMissing = issue.code === 'invalid_type' && issue.input === undefined;
  const [variable, at] = issue.path;
  const where = typeof at === 'number' ? ` (item ${at + 1} of the list)` : '';
  return `${String(variable)}: ${isMissing ? 'is required' : issue.message}${where}`;
}
