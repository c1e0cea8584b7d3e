import { createLogger } from '../adapters/logs/logger.ts';
import { failProcess } from '../adapters/process/run-until-stopped.ts';
import { stopSignal } from '../adapters/process/stop-signal.ts';
import { untilOwnDatabase } from '../commands/until-own-database.ts';
import { readWorkerConfig } from './config.ts';
import { runWorker } from './run-worker.ts';
import { openSdkMetrics } from './metrics/sdk-metrics.ts';
import { installTemporalRuntime } from './temporal-runtime.ts';

/**
 * The time limit for stopping, which is less than the 30 seconds after which the launcher and Compose kill the process.
 */
const END_LIMIT_MS = 25_000;

const signal = stopSignal();
const config = readWorkerConfig(process.env);
const logger = createLogger({ level: config.log.level, process: 'worker' });

try {
  // Before the SDK's runtime, which would keep a process alive that never used it.
  await untilOwnDatabase(config, { logger, signal });
  const sdkMetrics = await openSdkMetrics(config.metrics !== null);
  installTemporalRuntime(logger, sdkMetrics.exporter);
  const onReady = () => {
    logger.info('worker.ready');
    process.send?.({ type: 'ready' });
  };
  // A hanging call, for example to an unavailable Temporal, must not delay the replacement of this process.
  const onEnding = () => void setTimeout(cutOff, END_LIMIT_MS).unref();
  await runWorker({ config, logger, signal, readSdkMetrics: sdkMetrics.read, onReady, onEnding });
  logger.info('worker.stopped');
} catch (error) {
  if (signal.aborted) logger.info('worker.stopped');
  else failProcess(error, 'worker.failed', logger);
}
if (process.connected) process.disconnect();

function cutOff(): void {
  logger.fatal('worker.end_cut_off');
  process.exit(1);
}
