import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode } from '@temporalio/worker';
import { createLogger } from '../../adapters/logs/logger.ts';
import { temporalLogger } from '../temporal-runtime.ts';

/**
 * Prints the workflows as one script for Temporal's sandbox, which takes three seconds of CPU. It runs in its own
 * process because the 150 MB of memory that bundling needs would never be returned.
 */
const workflowsPath = fileURLToPath(new URL('../../workflows/all-workflows.ts', import.meta.url));
const logger = createLogger({ level: 'warn', process: 'bundle', destination: process.stderr });
const { code } = await bundleWorkflowCode({ workflowsPath, logger: temporalLogger(logger) });
process.stdout.write(code);
