import { ApplicationFailure, TemporalFailure } from '@temporalio/common';
import { describeError, safeFacts } from '../adapters/logs/describe-error.ts';

type Activity = (input: never) => Promise<unknown>;

/**
 * Failures enter the workflow's history, and errors of the database quote rows. These activities fail with the type and
 * the code of an error only.
 */
export function withSafeFailures<A extends object>(activities: A): A {
  const wrapped = Object.entries(activities).map(([name, activity]) => [
    name,
    failSafely(activity as Activity),
  ]);
  return Object.fromEntries(wrapped) as A;
}

function failSafely(activity: Activity): Activity {
  return async (input) => {
    try {
      return await activity(input);
    } catch (error) {
      if (error instanceof TemporalFailure) throw error;
      throw ApplicationFailure.retryable(safeFacts(error), describeError(error).type);
    }
  };
}
