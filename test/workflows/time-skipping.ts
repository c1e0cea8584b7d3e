import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { installTemporalRuntime } from '../../worker/temporal-runtime.ts';
import { BACKGROUND_QUEUE, CLINIC_QUEUE } from '../../domain/temporal-names.ts';
import { createTimeSkippingEnvironment } from '../support/temporal.ts';
import { testLogger } from '../support/test-logger.ts';
import { keptWorkflowBundle } from '../../worker/bundle/kept-bundle.ts';

/** One suite's server with a clock that jumps, and the workflows as the workers run them. */
export interface TimeSkipping {
  environment: TestWorkflowEnvironment;
  /** The time that the workflows see, in milliseconds. */
  now(): Promise<number>;
  /** Runs a worker with these activities while `story` is told; one of the clinic queue offers the background ones too. */
  withActivities<T>(taskQueue: string, activities: object, story: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export async function startTimeSkipping(): Promise<TimeSkipping> {
  installTemporalRuntime(testLogger());
  const environment = await createTimeSkippingEnvironment();
  const workflowBundle = await keptWorkflowBundle({
    signal: new AbortController().signal,
    logger: testLogger(),
  });
  return {
    environment,
    now: () => environment.currentTimeMs(),
    async withActivities(taskQueue, activities, story) {
      const { nativeConnection: connection, namespace = 'default' } = environment;
      const worker = await Worker.create({ connection, namespace, taskQueue, workflowBundle, activities });
      if (taskQueue !== CLINIC_QUEUE) return worker.runUntil(story);
      const background = await Worker.create({
        connection,
        namespace,
        taskQueue: BACKGROUND_QUEUE,
        workflowBundle,
        activities,
      });
      return worker.runUntil(() => background.runUntil(story));
    },
    close: () => environment.teardown(),
  };
}
