import type { ErrorClass } from './attempt-error.ts';
import type { TlsFault } from './tls-fault.ts';

/** How an endpoint answered the attempts of the last day, without test events. */
export interface EndpointAnswers {
  attempts: number;
  failures: number;
  /** Of the latest attempt; null when it succeeded. */
  lastErrorClass: ErrorClass | null;
  lastTlsFault: TlsFault | null;
  lastResponseStatus: number | null;
  lastStartedAt: Date;
  /** When the endpoint was last enabled, got a new URL or recovered; null: never. */
  correctedAt: Date | null;
}

/**
 * Whether waiting does not help, so that the endpoint must be fixed: it answers 4xx, or accepted nothing for a day.
 * Its status says so only after six attempts, which takes most of a day.
 */
export function isRefusing(answers: EndpointAnswers): boolean {
  const { attempts, failures, lastErrorClass, lastResponseStatus, lastStartedAt, correctedAt } = answers;
  if (lastErrorClass === null || (correctedAt !== null && lastStartedAt <= correctedAt)) return false;
  return failures === attempts || isRejection(lastErrorClass, lastResponseStatus);
}

/** A 4xx other than 429, which asks for fewer requests. */
export function isRejection(errorClass: ErrorClass | null, responseStatus: number | null): boolean {
  return errorClass === 'http_4xx' && responseStatus !== 429;
}
