import { createLogger } from '../adapters/logs/logger.ts';
import { connectTemporal } from '../adapters/temporal/connect-temporal.ts';
import { untilReached } from '../adapters/connections/until-reached.ts';
import { prepareNamespace } from '../adapters/temporal/prepare-namespace.ts';
import { keepSchedules } from '../adapters/temporal/schedules.ts';
import { readSetupConfig } from './config.ts';
import { setupByHand } from './setup-by-hand.ts';

/** How long to wait for Temporal, which may be starting. */
const WAIT_LIMIT_MS = 60_000;

const config = readSetupConfig(process.env);
const logger = createLogger({ level: config.log.level, process: 'setup' });
const temporal = connectTemporal(config.temporal);
const { namespace } = temporal;
const waiting = { logger, signal: AbortSignal.timeout(WAIT_LIMIT_MS) };
try {
  const prepared = await untilReached(
    'temporal',
    () => temporal.ask(() => prepareNamespace(temporal.connection, namespace)),
    waiting,
  );
  const { leftToDo } = prepared;
  process.stderr.write(setupByHand(namespace, leftToDo));
  if (leftToDo.createNamespace || leftToDo.registerSearchAttributes.length > 0) {
    process.exitCode = 1;
  } else {
    const schedules = await untilReached('temporal', () => temporal.ask(keepSchedules), waiting);
    logger.info({ namespace, ...prepared, schedules }, 'temporal.ready');
  }
} catch (error) {
  const reason = error instanceof Error ? error.message : 'unknown error';
  process.stderr.write(`Could not set up Temporal at ${config.temporal.connection.address}: ${reason}\n`);
  process.exitCode = 1;
} finally {
  await temporal[Symbol.asyncDispose]();
}
