import { CommanderError } from 'commander';
import { readConfig, type Environment } from '../adapters/config/read-config.ts';
import { databaseConfig, optionalModeConfig } from '../adapters/config/service-config.ts';
import { isPassingFailure } from '../db/connection/database-errors.ts';
import { readDatabaseTime } from '../db/connection/statements.ts';
import { openDatabase, type Database } from '../db/connection/open-database.ts';
import { OtherModeError, readMode, refuseOtherMode } from '../db/deployment-mode.ts';
import type { ServiceMode } from '../domain/service-mode.ts';
import type { AdminCommand } from './admin-command.ts';
import { describeFailure } from '../commands/diagnosis/describe-failure.ts';
import { AdminFailure, UsageError } from './failures.ts';
import { operatorConfig } from './operator-name.ts';
import { findService } from './find-service.ts';
import { printOutput, unobeyed } from './print-output.ts';
import { isAsyncIterable } from './streamed-document.ts';
import { SecretUnreadableError } from '../domain/encryption/text-cipher.ts';
import { sealingIfKnown } from './service-keys.ts';
import { createProgram, type Streams } from './program.ts';

const FAILURE = 1;
const USAGE_ERROR = 2;

/** An operator may ask for what takes a while. */
const STATEMENT_TIMEOUT_MS = 600_000;

/** Carries out one command line and returns its exit code: 0, 1 for a failure, 2 for a usage error. */
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
  const pieces = { database: databaseConfig, operator: operatorConfig, mode: optionalModeConfig };
  const { database: place, operator, mode } = readConfig(pieces, complete);
  const { url } = place;
  if (mode !== undefined) await requireMode(url, mode);
  await using database = await openDatabase({
    url,
    poolSize: 2,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    applicationName: 'clinic-admin',
    sealing: sealingIfKnown(complete),
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

/** The database's, which dates its rows. Of one that is away the command itself says so. */
function timeOf(database: Database): Promise<Date> {
  return readDatabaseTime(database.em()).catch(() => new Date());
}

/** One that is away may be of any mode: the command itself says what it makes of that. */
async function requireMode(url: string, mode: ServiceMode): Promise<void> {
  try {
    refuseOtherMode(await readMode(url), mode);
  } catch (error) {
    if (!isPassingFailure(error)) throw error;
  }
}

function exitCodeOf(error: unknown, streams: Streams): number {
  // Commander has printed its own complaint, or the help that was asked for.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE_ERROR;
  const isOurs =
    error instanceof UsageError ||
    error instanceof AdminFailure ||
    error instanceof OtherModeError ||
    error instanceof SecretUnreadableError;
  streams.stderr.write(`${isOurs ? error.message : describeFailure(error)}\n`);
  return error instanceof UsageError ? USAGE_ERROR : FAILURE;
}
