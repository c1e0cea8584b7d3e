import { createLogger } from '../../adapters/logs/logger.ts';
import { bundleWorkflows } from './workflow-bundle.ts';

/** Prints the workflows as one script; the worker runs this, because a bundler's memory would stay with it for good. */
const logger = createLogger({ level: 'warn', process: 'bundle', destination: process.stderr });
const { code } = await bundleWorkflows(logger);
process.stdout.write(code);
