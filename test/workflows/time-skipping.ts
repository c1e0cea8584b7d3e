import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { installTemporalRuntime } from '../../worker/temporal-runtime.ts';
import { createTimeSkippingEnvironment } from '../support/temporal.ts';
import { testLogger } from '../support/test-logger.ts';
import { cachedWorkflowBundle } from '../../worker/bundle/bundle-cache.ts';
import { withActivities } from './workers-with-activities.ts';

/** One suite's server with a clock that jumps, and the workflows as the workers run them. */
export interface TimeSkipping {
  environment: TestWorkflowEnvironment;
  /** The time that the workflows see, in milliseconds. */
  now(): Promise<number>;
  /** Runs a worker with these activities while `story` is told; one of the clinic queue offers the background ones too. */
  withActivities<T>(taskQueue: string, activities: object, story: () => Promise<T>): Promise<T>;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function startTimeSkipping(): Promise<TimeSkipping> {
  installTemporalRuntime(testLogger());
  const environment = await createTimeSkippingEnvironment();
  const workflowBundle = await cachedWorkflowBundle({
    signal: new AbortController().signal,
    logger: testLogger(),
  });
  return {
    environment,
    now: () => environment.currentTimeMs(),
    withActivities: (taskQueue, activities, story) =>
      withActivities({ environment, workflowBundle, taskQueue, activities }, story),
    [Symbol.asyncDispose]: () => environment.teardown(),
  };
}
