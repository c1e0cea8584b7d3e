import type { IdempotentRequest } from '../../../commands/requests/stored-answers.ts';
import { createPerformOnce, type Through } from '../../../commands/requests/perform-once.ts';
import type { Database } from '../../../db/connection/open-database.ts';
import type { ServiceError } from '../../../domain/service-error.ts';
import type { Answer } from '../../contract/route.ts';
import { isStoredAnswer } from '../../contract/define-contracts.ts';

/** How a request writes. */
export type Writing = Pick<Through<Answer>, 'write' | 'together'>;

export interface Performance {
  /** Answers the request; all its writes go through what it is given, which commits them together with the answer. */
  perform: (writing: Writing) => Promise<Answer>;
  /** How a refusal by `perform` is answered. */
  refuse: (error: ServiceError) => Answer;
}

export type AnswerOnce = (request: IdempotentRequest, performance: Performance) => Promise<Answer>;

/** Performs a request with an `Idempotency-Key` once, and answers its twins with the same bytes. Throws as `createPerformOnce`. */
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
