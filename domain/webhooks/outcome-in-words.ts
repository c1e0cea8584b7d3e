import type { ErrorClass } from './attempt-error.ts';

const WORDS: Record<ErrorClass, string> = {
  dns_error: 'host name of the endpoint did not resolve',
  blocked_address: 'address of the endpoint is not public',
  connect_error: 'no connection to the endpoint',
  connect_timeout: 'no connection to the endpoint within 10 s',
  tls_error: 'no secure connection to the endpoint',
  deadline_exceeded: 'endpoint did not answer within 10 s',
  connection_lost: 'connection was lost before the endpoint answered',
  redirect: 'endpoint answered with a redirect',
  http_4xx: 'endpoint refused the event',
  http_5xx: 'endpoint failed',
  invalid_response: 'endpoint did not answer in HTTP',
};

/** The outcome of an attempt for operators: words, then the error class and the HTTP status, if any. */
export function outcomeInWords(errorClass: ErrorClass | null, responseStatus: number | null): string {
  if (errorClass === null) return 'succeeded';
  const facts = responseStatus === null ? errorClass : `${errorClass}, ${responseStatus}`;
  return `${WORDS[errorClass]} (${facts})`;
}
