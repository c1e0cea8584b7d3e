import { userInfo } from 'node:os';
import { CommanderError } from 'commander';
import { z } from 'zod';
import Table from 'cli-table3';
import { readConfig, type Environment, variable } from '../adapters/config/read-config.ts';
import { timingsConfig } from '../adapters/config/timings-config.ts';
import { databaseConfig, optionalModeConfig } from '../adapters/config/service-config.ts';
import { isPassingFailure } from '../db/connection/database-errors.ts';
import { readDatabaseTime } from '../db/connection/statements.ts';
import { openDatabase, type Database } from '../db/connection/open-database.ts';
import { OtherModeError, readMode, refuseOtherMode } from '../db/deployment-mode.ts';
import type { ServiceMode } from '../domain/service-mode.ts';
import type { AdminCommand, Answer } from './admin-command.ts';
import { describeFailure } from '../commands/diagnosis/describe-failure.ts';
import { AdminFailure, UsageError } from './failures.ts';
import { findService } from './find-service.ts';
import { isAsyncIterable } from './streamed-document.ts';
import { SecretUnreadableError } from '../domain/encryption/text-cipher.ts';
import { sealingIfKnown } from './service-keys.ts';
import { createProgram, type Streams } from './program.ts';
import { errorCode } from '../adapters/error-code.ts';

const FAILURE = 1;
const USAGE_ERROR = 2;

/** The time limit of a statement, because operators' commands may take long. */
const STATEMENT_TIMEOUT_MS = 600_000;

/** Runs one command line and returns its exit code: 0, 1 for a failure, 2 for a usage error. */
export async function runAdmin(words: readonly string[], environment: Environment, streams: Streams) {
  let succeeded = true;
  const program = createProgram(streams, async (command, typed) => {
    succeeded = await carryOut(command, typed, environment, streams);
  });
  try {
    await program.parseAsync(words, { from: 'user' });
    return succeeded ? 0 : FAILURE;
  } catch (error) {
    return exitCodeOf(error, streams);
  }
}

async function carryOut(
  command: AdminCommand,
  typed: Record<string, string>,
  environment: Environment,
  streams: Streams,
): Promise<boolean> {
  const run = command.prepare(typed);
  const complete = findService(environment);
  const pieces = {
    database: databaseConfig,
    operator: operatorConfig,
    mode: optionalModeConfig,
    timings: timingsConfig,
  };
  const { database: place, operator, mode, timings } = readConfig(pieces, complete);
  const { url } = place;
  if (mode !== undefined) await requireMode(url, mode);
  await using database = await openDatabase({
    url,
    poolSize: 2,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    applicationName: 'clinic-admin',
    sealing: sealingIfKnown(complete),
    timings,
  });
  const context = { actor: 'operator', operator, requestId: null, now: await timeOf(database) };
  const tell = (line: string) => void streams.stderr.write(`${line}\n`);
  const dependencies = { database, databaseUrl: url, environment: complete, context, tell };
  const answer = await run(dependencies);
  if (isAsyncIterable(answer.output)) {
    for await (const piece of answer.output) streams.stdout.write(unobeyed(String(piece)));
  } else streams.stdout.write(printOutput(answer, streams.stdout.isTTY === true));
  return answer.succeeded;
}

/** The database's time, for the rows that a command writes. If the database is unavailable, the command reports it. */
function timeOf(database: Database): Promise<Date> {
  return readDatabaseTime(database.em()).catch(() => new Date());
}

/** Refuses a database of another mode. Skipped if the database is unavailable, because the command reports that. */
async function requireMode(url: string, mode: ServiceMode): Promise<void> {
  try {
    refuseOtherMode(await readMode(url), mode);
  } catch (error) {
    if (!isPassingFailure(error)) throw error;
  }
}

function exitCodeOf(error: unknown, streams: Streams): number {
  // Commander has already printed its error or the help.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE_ERROR;
  const isOurs =
    error instanceof UsageError ||
    error instanceof AdminFailure ||
    error instanceof OtherModeError ||
    error instanceof SecretUnreadableError;
  streams.stderr.write(`${isOurs ? error.message : describeFailure(error)}\n`);
  return error instanceof UsageError ? USAGE_ERROR : FAILURE;
}

/** The operator's name in the activity log: ADMIN_ACTOR or the system's user. */
const operatorConfig = variable(
  'ADMIN_ACTOR',
  z
    .string()
    .regex(/^[\p{L}\p{N}._@+-]{1,100}$/u, 'must be 1 to 100 letters, digits and . _ @ + -')
    .optional(),
).transform((name) => name ?? systemUser());

/** The system's user; a container may run under a number without a name. */
function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid-${process.getuid?.()}`;
  }
}

/** The style of a table without lines, like the output of `ps`. */
const PLAIN = Object.fromEntries(
  'top top-mid top-left top-right bottom bottom-mid bottom-left bottom-right left left-mid mid mid-mid right right-mid'
    .split(' ')
    .map((name) => [name, '']),
);

/** A list is a table on a terminal; all other output, and all output to a pipe, is one JSON document. */
export function printOutput({ output, columns }: Pick<Answer, 'output' | 'columns'>, isTerminal: boolean) {
  if (!isTerminal || columns === null || !isList(output))
    return `${unobeyed(JSON.stringify(output, null, 2))}\n`;
  const { items } = output;
  if (items.length === 0) return 'none\n';
  const table = new Table({
    head: columns.map((name) => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter}`).toUpperCase()),
    chars: { ...PLAIN, middle: '  ' },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  for (const item of items) table.push(columns.map((name) => cell(item[name])));
  return `${table.toString()}\n`;
}

/** JSON without terminal control characters: JSON escapes only C0, but terminals also obey C1 (ECMA-48). */
function unobeyed(json: string): string {
  return json.replaceAll(/[\u007f-\u009f]/g, (control) => `\\u00${control.charCodeAt(0).toString(16)}`);
}

function isList(output: unknown): output is { items: Record<string, unknown>[] } {
  return typeof output === 'object' && output !== null && 'items' in output && Array.isArray(output.items);
}

/** A cell of a table. Names and addresses come from others, so they must not control the terminal. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return '–';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.replaceAll(/\p{Cc}/gu, '?');
}

/**
 * Exits in one line with code 1 when the output cannot be written: the reader has closed it, as `head` does, or the
 * disk is full. Changes made by the command stay.
 */
export function endWithOutput(process: NodeJS.Process): void {
  process.stdout.on('error', (error) => {
    process.stderr.write(`The output could not be written completely: ${errorCode(error)}\n`);
    process.exit(1);
  });
  // There is no one left to report this to.
  process.stderr.on('error', () => process.exit(1));
}
