import { createLogger } from '../adapters/logs/logger.ts';
import { runUntilStopped } from '../adapters/process/run-until-stopped.ts';
import { readDashboardConfig } from './config.ts';
import { startDashboard } from './start.ts';

/** `npm run dashboard`: serves until SIGTERM, SIGINT or the end of the process that started it. */
const config = readDashboardConfig(process.env);
const logger = createLogger({ level: config.log.level, process: 'dashboard' });
await runUntilStopped(logger, (stopping) => startDashboard(config, logger, stopping));
