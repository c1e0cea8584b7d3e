import { createLogger } from '../adapters/logs/logger.ts';
import { runUntilStopped } from '../adapters/process/run-until-stopped.ts';
import { readApiConfig } from './config.ts';
import { startApi } from './start.ts';

/** `npm run api`: serves requests until SIGTERM, SIGINT or the end of the process that started the API. */
const config = readApiConfig(process.env);
const logger = createLogger({ level: config.log.level, process: 'api' });
await runUntilStopped(logger, (stopping) => startApi(config, logger, stopping));
