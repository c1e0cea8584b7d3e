import type { ErrorCode } from '../../domain/error-codes.ts';
import { alternativeExample } from '../availability/free-slot.contract.ts';
import type { Contracts } from '../contract/define-contracts.ts';
import { possibleErrors } from '../contract/possible-answers.ts';
import type { JsonSchema } from './schema-writer.ts';

const REQUEST_ID = '0195571c-5a60-7a3e-9f00-2f5d1c9b7a10';

interface Example {
  message: string;
  [extra: string]: unknown;
}

const EXAMPLES: Readonly<Record<ErrorCode, Example>> = {
  malformed_json: { message: 'The body is not valid JSON.' },
  malformed_request: { message: 'The request cannot be read.' },
  unsupported_media_type: { message: 'The body must be application/json.' },
  missing_api_key: { message: 'Send an API key as a bearer token.' },
  invalid_api_key: { message: 'There is no such API key.' },
  api_key_expired: { message: 'This API key has expired.' },
  api_key_revoked: { message: 'This API key was revoked.' },
  insufficient_scope: { message: 'The API key lacks a scope.', requiredScopes: ['appointments:write'] },
  clinic_inactive: { message: 'The contract of this clinic has ended.' },
  not_found: { message: 'There is no such resource in this clinic.' },
  method_not_allowed: { message: 'This address takes GET.' },
  request_timeout: { message: 'The body arrives too slowly. Send at least 16 KiB a second.' },
  slot_conflict: { message: 'Another patient has this time.', alternatives: [alternativeExample] },
  outside_hours: {
    message: 'The clinic or this professional does not work at this time.',
    alternatives: [alternativeExample],
  },
  invalid_status_transition: {
    message: 'An appointment that is cancelled cannot become attended.',
    from: 'cancelled',
    to: 'attended',
    allowed: [],
  },
  appointment_rescheduled: {
    message: 'This appointment was moved; change its replacement instead.',
    rescheduledToId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a21',
  },
  external_id_conflict: { message: 'This id is in use for something else.' },
  public_slug_taken: {
    message: 'Another clinic has this publicSlug.',
    errors: [{ path: 'body.publicSlug', message: 'is already in use' }],
  },
  idempotency_in_progress: { message: 'The first request with this Idempotency-Key is still under way.' },
  endpoint_deactivated: { message: 'The endpoint is off; enable it first.' },
  endpoint_exists: {
    message: 'An endpoint of the clinic has this URL and these events already.',
    endpointId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a42',
  },
  endpoint_limit_reached: { message: 'A clinic can have at most 10 endpoints.' },
  key_limit_reached: { message: 'A clinic can have at most 200 keys that open something.' },
  delivery_final: { message: 'The delivery has ended.' },
  delivery_open: { message: 'The delivery has not ended; retry it in place of sending it twice.' },
  clinic_limit_reached: {
    message:
      'The clinic has stored as many appointments as it may. Ask the operator of the service for a higher limit.',
  },
  call_limit_reached: { message: 'A call holds at most 2000 events and 4 MiB of them.' },
  already_booked: {
    message: 'The patient has this very appointment already.',
    appointmentId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a20',
  },
  hold_limit_reached: { message: 'A call holds at most 3 times at once, a key 200.' },
  hold_expired: {
    message: 'The hold is over, and somebody else has the time now.',
    alternatives: [alternativeExample],
  },
  version_mismatch: { message: 'The appointment has changed since it was read.', version: 3 },
  payload_too_large: { message: 'The body may have at most 256 KiB.' },
  validation_failed: {
    message: 'The request breaks its schema or a rule.',
    errors: [{ path: 'body.startsAt', message: 'must be an ISO 8601 date-time with an offset' }],
  },
  starts_in_past: ofField('body.startsAt', 'startsAt lies more than 24 hours in the past.'),
  service_not_offered: ofField('body.professionalId', 'This professional does not offer this service.'),
  professional_inactive: ofField('body.professionalId', 'This professional takes no new bookings any more.'),
  idempotency_key_reused: { message: 'This Idempotency-Key was used for another request.' },
  rate_limited: { message: 'Too many requests. Try again in 2 s.' },
  internal_error: { message: 'Something went wrong on our side.' },
  temporarily_unavailable: { message: 'The service cannot answer now. Try again shortly.' },
};

function ofField(path: string, message: string): Example {
  return { message, errors: [{ path, message }] };
}

/** An example for each code that some route may answer with, as components of the document. */
export function errorExampleComponents(contracts: Contracts): Record<string, JsonSchema> {
  const codes = new Set(Object.values(contracts).flatMap(possibleErrors));
  const entries = [...codes].sort().map((error) => {
    const { message, ...extras } = EXAMPLES[error];
    return [error, { value: { error, message, requestId: REQUEST_ID, ...extras } }];
  });
  return Object.fromEntries(entries) as Record<string, JsonSchema>;
}
