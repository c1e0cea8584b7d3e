import { createPerformOnce, type IdempotentRequest } from '../../../commands/requests/perform-once.ts';
import type { ClinicDatabase, Database } from '../../../db/connection/open-database.ts';
import type { ServiceError } from '../../../domain/service-error.ts';
import type { Answer, KeyedRequest } from '../../contract/route.ts';
import { isKeptAnswer } from '../../contract/define-contracts.ts';

export type Write = ClinicDatabase['write'];

export interface Performance {
  /** Answers the request; all its writes go through `write`, or are committed together with the answer, which then says so. */
  perform: (write: Write, keyed: KeyedRequest) => Promise<Answer>;
  /** How a refusal by `perform` is answered. */
  refuse: (error: ServiceError) => Answer;
}

export type AnswerOnce = (request: IdempotentRequest, performance: Performance) => Promise<Answer>;

/** Performs a request with an `Idempotency-Key` once, and answers its twins with the same bytes. Throws as `createPerformOnce`. */
export function createAnswerOnce(database: Database, longestWaitMs?: number): AnswerOnce {
  const performOnce = createPerformOnce<Answer>(database, longestWaitMs);
  return async (request, { perform, refuse }) => {
    const { answer, isReplayed } = await performOnce(request, {
      perform: ({ write }, keyed) => perform(write, keyed),
      refuse: (error) => (isKeptAnswer(error.status) ? refuse(error) : null),
      whatBecomesOf: ({ isKept }) => (isKept ? 'saved' : 'kept'),
    });
    return isReplayed
      ? { ...answer, headers: { ...answer.headers, 'Idempotency-Replayed': 'true' } }
      : answer;
  };
}
