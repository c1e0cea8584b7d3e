import { ApplicationFailure, TemporalFailure } from '@temporalio/common';
import { describeError, safeFacts } from '../adapters/logs/describe-error.ts';

type Activity = (input: never) => Promise<unknown>;

/** Wraps each activity. */
export function eachActivity<A extends object>(
  activities: A,
  wrap: (activity: Activity, name: string) => Activity,
): A {
  const wrapped = Object.entries(activities).map(([name, each]) => [name, wrap(each as Activity, name)]);
  return Object.fromEntries(wrapped) as A;
}

/**
 * Limits failures to the type and code of an error, because failures are stored in the workflow's history and database
 * errors contain data from rows.
 */
export function withSafeFailures<A extends object>(activities: A): A {
  return eachActivity(activities, (activity) => async (input) => {
    try {
      return await activity(input);
    } catch (error) {
      if (error instanceof TemporalFailure) throw error;
      throw ApplicationFailure.retryable(safeFacts(error), describeError(error).type);
    }
  });
}
