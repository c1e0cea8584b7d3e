import { Runtime, type MetricsExporterConfig } from '@temporalio/worker';
import type { Logger } from '../adapters/logs/logger.ts';
import { temporalLogger } from './temporal-logger.ts';

/**
 * Gives Temporal's SDK our log and leaves signals to us: by itself it would end its workers on SIGTERM and leave the
 * other loops of this process running. To be called before anything else of the SDK.
 * @param metrics where the SDK tells what it measures, if anywhere
 */
export function installTemporalRuntime(logger: Logger, metrics?: MetricsExporterConfig): void {
  Runtime.install({
    shutdownSignals: [],
    logger: temporalLogger(logger),
    telemetryOptions: {
      logging: { filter: { core: 'WARN', other: 'ERROR' }, forward: {} },
      ...(metrics && { metrics }),
    },
  });
}
