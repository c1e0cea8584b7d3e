import { isGrpcServiceError } from '@temporalio/client';
import type { Temporal } from '../../adapters/temporal/connect-temporal.ts';
import { findFailingWorkflows } from '../../adapters/temporal/failing-workflows.ts';
import { findSchedules } from '../../adapters/temporal/schedules.ts';
import { missingSearchAttributes } from '../../adapters/temporal/prepare-namespace.ts';
import { findPollers } from '../../adapters/temporal/task-queue-pollers.ts';
import { describeFailure } from './describe-failure.ts';
import { DegradedError, check, checkEach, type Check } from './check.ts';

export async function temporalChecks(temporal: Temporal, address: string): Promise<Check[]> {
  const server = `${address}, namespace ${temporal.namespace}`;
  const reachable = await check('temporal', () => examineNamespace(temporal, server), server);
  const examinations = {
    'search attributes': () => examineSearchAttributes(temporal),
    schedules: () => examineSchedules(temporal),
    workers: () => examinePollers(temporal),
    workflows: () => examineWorkflows(temporal),
  };
  return [reachable, ...(await checkEach(examinations, reachable.ok ? null : 'Temporal does not respond'))];
}

async function examineNamespace(temporal: Temporal, server: string): Promise<string> {
  try {
    await temporal.ask(({ workflowService }) =>
      workflowService.describeNamespace({ namespace: temporal.namespace }),
    );
  } catch (error) {
    const reason = isGrpcServiceError(error) ? error.details : describeFailure(error);
    throw new DegradedError(`${server}: ${reason}`);
  }
  return `responds at ${server}`;
}

async function examineSearchAttributes(temporal: Temporal): Promise<string> {
  const missing = await temporal.ask(({ connection }) =>
    missingSearchAttributes(connection, temporal.namespace),
  );
  if (missing.length === 0) return 'all registered';
  throw new DegradedError(
    `run "npm run temporal:setup"; search attributes that are missing or have the wrong type: ${missing.join(', ')}`,
  );
}

async function examineSchedules(temporal: Temporal): Promise<string> {
  const schedules = await temporal.ask(findSchedules);
  const missing = schedules.filter(({ found }) => !found).map(({ scheduleId }) => scheduleId);
  if (missing.length > 0)
    throw new DegradedError(`run "npm run temporal:setup"; missing schedules: ${missing.join(', ')}`);
  const paused = schedules.filter(({ found }) => found?.paused).map(({ scheduleId }) => scheduleId);
  if (paused.length > 0) throw new DegradedError(`paused: ${paused.join(', ')}`);
  return schedules
    .map(
      ({ scheduleId, found }) => `${scheduleId}: next run ${found?.nextAt?.toISOString() ?? 'not planned'}`,
    )
    .join(', ');
}

async function examinePollers(temporal: Temporal): Promise<string> {
  const queues = await temporal.ask(findPollers);
  const unserved = queues.filter(({ pollers }) => pollers === 0);
  const named = unserved.map(({ taskQueue, kind }) => `${taskQueue} (${kind} tasks)`);
  if (named.length > 0)
    throw new DegradedError(`is a worker running? No worker polls the task queues ${named.join(', ')}`);
  return `${Math.min(...queues.map(({ pollers }) => pollers))} workers poll every task queue`;
}

async function examineWorkflows(temporal: Temporal): Promise<string> {
  const failing = await temporal.ask(findFailingWorkflows);
  if (!failing) return 'this version of Temporal does not report failing workflows';
  if (failing.count === 0) return 'none fails';
  throw new DegradedError(
    `workflows whose code fails: ${failing.count}, for example ${failing.ids.join(', ')}`,
  );
}
