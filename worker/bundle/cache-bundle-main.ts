import { createLogger } from '../../adapters/logs/logger.ts';
import { cachedWorkflowBundle } from './bundle-cache.ts';

/** Makes the workflows' script ahead of the first start: for images, which are not written to once they run. */
const logger = createLogger({ level: 'info', process: 'bundle', destination: process.stderr });
await cachedWorkflowBundle({ signal: new AbortController().signal, logger });
