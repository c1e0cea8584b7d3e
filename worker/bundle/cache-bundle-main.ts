import { createLogger } from '../../adapters/logs/logger.ts';
import { cachedWorkflowBundle } from './bundle-cache.ts';

/** Builds the workflow bundle before the first start, for images that are read-only at run time. */
const logger = createLogger({ level: 'info', process: 'bundle', destination: process.stderr });
await cachedWorkflowBundle({ signal: new AbortController().signal, logger });
