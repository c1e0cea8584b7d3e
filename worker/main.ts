import { createLogger } from '../adapters/logs/logger.ts';
import { failProcess } from '../adapters/process/run-until-stopped.ts';
import { stopSignal } from '../adapters/process/stop-signal.ts';
import { untilOwnDatabase } from '../commands/until-own-database.ts';
import { readWorkerConfig } from './config.ts';
import { runWorker } from './run-worker.ts';
import { openSdkMetrics } from './metrics/sdk-metrics.ts';
import { installTemporalRuntime } from './temporal-runtime.ts';

/** Below the 30 seconds that the launcher and compose give it before they kill it. */
const END_LIMIT_MS = 25_000;

const signal = stopSignal();
const config = readWorkerConfig(process.env);
const logger = createLogger({ level: config.log.level, process: 'worker' });

try {
  // Before the runtime of the SDK, which would keep a process alive that has never used it.
  await untilOwnDatabase(config, { logger, signal });
  const sdkMetrics = await openSdkMetrics(config.metrics !== null);
  installTemporalRuntime(logger, sdkMetrics.exporter);
  const onReady = () => {
    logger.info('worker.ready');
    process.send?.({ type: 'ready' });
  };
  // What does not end by itself, such as a call to a Temporal that is away, must not keep the process from being replaced.
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
