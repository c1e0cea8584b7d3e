import type { ErrorClass } from './attempt-error.ts';
import type { TlsFault } from './tls-fault.ts';

/** How an endpoint answered the attempts of the last day, without test events. */
export interface EndpointAnswers {
  attempts: number;
  failures: number;
  /** Why the latest attempt failed; null when it succeeded. */
  lastErrorClass: ErrorClass | null;
  lastTlsFault: TlsFault | null;
  lastResponseStatus: number | null;
  lastStartedAt: Date;
  /** When the endpoint was last enabled, got a new URL or recovered; null: never. */
  correctedAt: Date | null;
}

/** One failure or two can be a restart of the receiver. */
const LEAST_ATTEMPTS = 3;

/**
 * Whether waiting does not help, so that the endpoint must be fixed: it answers 4xx, or accepted none of several
 * attempts. Its status says so only after six attempts of a delivery, which takes most of a day.
 */
export function isRefusing(answers: EndpointAnswers): boolean {
  const { attempts, failures, lastErrorClass, lastResponseStatus, lastStartedAt, correctedAt } = answers;
  if (lastErrorClass === null || (correctedAt !== null && lastStartedAt <= correctedAt)) return false;
  const isSilent = attempts >= LEAST_ATTEMPTS && failures === attempts;
  return isSilent || isRejection(lastErrorClass, lastResponseStatus);
}

/** A 4xx other than 429, which asks for fewer requests. */
export function isRejection(errorClass: ErrorClass | null, responseStatus: number | null): boolean {
  return errorClass === 'http_4xx' && responseStatus !== 429;
}
