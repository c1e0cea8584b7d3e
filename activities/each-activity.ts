import { ApplicationFailure, TemporalFailure } from '@temporalio/common';
import { describeError, safeFacts } from '../adapters/logs/describe-error.ts';

type Activity = (input: never) => Promise<unknown>;

/** The same activities, each wrapped. */
export function eachActivity<A extends object>(
  activities: A,
  wrap: (activity: Activity, name: string) => Activity,
): A {
  const wrapped = Object.entries(activities).map(([name, each]) => [name, wrap(each as Activity, name)]);
  return Object.fromEntries(wrapped) as A;
}

/**
 * Failures enter the workflow's history, and errors of the database quote rows. These activities fail with the type and
 * the code of an error only.
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
