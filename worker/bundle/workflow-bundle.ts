import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, type WorkflowBundleWithSourceMap } from '@temporalio/worker';
import type { Logger } from '../../adapters/logs/logger.ts';
import { temporalLogger } from '../temporal-logger.ts';

const WORKFLOWS = fileURLToPath(new URL('../../workflows/all-workflows.ts', import.meta.url));

/** The workflows as one script for Temporal's sandbox; takes three seconds of a processor. */
export function bundleWorkflows(logger: Logger): Promise<WorkflowBundleWithSourceMap> {
  return bundleWorkflowCode({ workflowsPath: WORKFLOWS, logger: temporalLogger(logger) });
}
