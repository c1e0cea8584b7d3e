import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode } from '@temporalio/worker';
import { createLogger } from '../../adapters/logs/logger.ts';
import { temporalLogger } from '../temporal-runtime.ts';

/**
 * Prints the workflows as one script for Temporal's sandbox, which takes three seconds of a processor. The worker runs this, because
 * the 150 MB that bundling takes would stay with it for good.
 */
const workflowsPath = fileURLToPath(new URL('../../workflows/all-workflows.ts', import.meta.url));
const logger = createLogger({ level: 'warn', process: 'bundle', destination: process.stderr });
const { code } = await bundleWorkflowCode({ workflowsPath, logger: temporalLogger(logger) });
process.stdout.write(code);
