import type { IdempotentRequest } from '../../../commands/requests/stored-answers.ts';
import { createPerformOnce, type Through } from '../../../commands/requests/perform-once.ts';
import type { Database } from '../../../db/connection/open-database.ts';
import type { ServiceError } from '../../../domain/service-error.ts';
import type { Answer } from '../../contract/route.ts';
import { isStoredAnswer } from '../../contract/define-contracts.ts';

/** The functions with which a request writes. */
export type Writing = Pick<Through<Answer>, 'write' | 'together'>;

export interface Performance {
  /** Handles the request. All writes must use `writing`, which commits them together with the answer. */
  perform: (writing: Writing) => Promise<Answer>;
  /** Converts an error thrown by `perform` into a response. Null: the error is thrown, and not stored. */
  refuse: (error: ServiceError) => Answer | null;
}

export type AnswerOnce = (request: IdempotentRequest, performance: Performance) => Promise<Answer>;

/**
 * Handles a request with an `Idempotency-Key` once, and answers repeats with the same bytes. Throws like
 * `createPerformOnce`.
 */
export function createAnswerOnce(database: Database, longestWaitMs?: number): AnswerOnce {
  const performOnce = createPerformOnce<Answer>(database, longestWaitMs);
  return async (request, { perform, refuse }) => {
    const { answer, isReplayed } = await performOnce(request, {
      perform: ({ write, together }) => perform({ write, together }),
      refuse: (error) => (isStoredAnswer(error.status) ? refuse(error) : null),
      whatBecomesOf: () => 'kept',
    });
    return isReplayed
      ? { ...answer, headers: { ...answer.headers, 'Idempotency-Replayed': 'true' } }
      : answer;
  };
}
