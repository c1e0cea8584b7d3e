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
  malformed_request: { message: 'The request is not valid HTTP, or a header is invalid. Check the headers.' },
  unsupported_media_type: { message: 'Send the body as uncompressed application/json in UTF-8.' },
  missing_api_key: { message: 'Send your API key in the header "Authorization: Bearer <key>".' },
  invalid_api_key: { message: 'This API key does not exist. Check that you copied all of it.' },
  api_key_expired: { message: 'This API key has expired. Use another key.' },
  api_key_revoked: { message: 'This API key was revoked. Use another key.' },
  insufficient_scope: {
    message: 'This API key lacks the scope appointments:write. Use a key that has it.',
    requiredScopes: ['appointments:write'],
  },
  clinic_inactive: { message: 'This clinic’s subscription is cancelled.' },
  not_found: { message: 'There is no appointment with the ID 0195571c-5a60-7a3e-9f00-2f5d1c9b7a30.' },
  method_not_allowed: { message: 'This address accepts only GET.' },
  request_timeout: { message: 'The body arrived too slowly. Send at least 16 KiB a second.' },
  slot_conflict: {
    message: 'This time is already booked or held. Choose one of the `alternatives`.',
    alternatives: [alternativeExample],
  },
  outside_hours: {
    message:
      'The clinic is closed, or the professional does not work, at this time. Choose one of the `alternatives`.',
    alternatives: [alternativeExample],
  },
  invalid_status_transition: {
    message: 'The status cannot change from `cancelled` to `attended`.',
    from: 'cancelled',
    to: 'attended',
    allowed: [],
  },
  appointment_rescheduled: {
    message: 'This appointment was rescheduled. Change its replacement instead (`rescheduledToId`).',
    rescheduledToId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a21',
  },
  external_id_conflict: { message: 'Another appointment of the clinic already has this `externalId`.' },
  public_slug_taken: {
    message: 'Another clinic already uses this `publicSlug`. Choose another.',
    errors: [{ path: 'body.publicSlug', message: 'is already in use' }],
  },
  idempotency_in_progress: {
    message:
      'A request with this Idempotency-Key is still in progress. Repeat this request later to get the response.',
  },
  endpoint_deactivated: { message: 'The endpoint is deactivated. Enable it first.' },
  endpoint_paused: { message: 'The endpoint is paused until 2026-03-02T18:00:00.000Z. Resume it first.' },
  endpoint_exists: {
    message: 'Another endpoint of the clinic already has this URL and these events.',
    endpointId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a42',
  },
  endpoint_limit_reached: { message: 'A clinic can have at most 10 endpoints. Delete one first.' },
  key_limit_reached: { message: 'A clinic can have at most 200 valid keys. Revoke one first.' },
  delivery_final: { message: 'The delivery has ended (succeeded). Resend it instead.' },
  delivery_open: { message: 'The delivery still has automatic retries left. Use `retry-now` instead.' },
  clinic_limit_reached: {
    message: 'The clinic has reached its appointment limit. Contact support to raise the limit.',
  },
  call_limit_reached: { message: 'A call can have at most 2000 events with a total of 4194304 bytes.' },
  recording_refused: {
    message: 'The caller refused to be recorded. Delete the audio; nothing was stored.',
  },
  already_booked: {
    message: 'This patient already has this appointment. Treat this as success.',
    appointmentId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a20',
  },
  hold_limit_reached: {
    message:
      'A call can hold at most 3 slots at once, and a key 200. Book or release one, or wait until one expires.',
  },
  hold_expired: {
    message: 'The hold has expired and the slot is taken. Choose one of the `alternatives`.',
    alternatives: [alternativeExample],
  },
  version_mismatch: {
    message: 'The appointment has changed since you read it. Read it again, then retry.',
    version: 3,
  },
  payload_too_large: { message: 'The request body is larger than 262144 bytes.' },
  validation_failed: {
    message:
      'body.startsAt must be an ISO 8601 date-time with an offset, for example 2026-03-02T09:30:00+00:00.',
    errors: [
      {
        path: 'body.startsAt',
        message: 'must be an ISO 8601 date-time with an offset, for example 2026-03-02T09:30:00+00:00',
      },
    ],
  },
  starts_in_past: ofField('body.startsAt', '`startsAt` is more than 24 hours in the past.'),
  service_not_offered: ofField('body.professionalId', 'This professional does not offer this service.'),
  professional_inactive: ofField('body.professionalId', 'This professional no longer takes bookings.'),
  idempotency_key_reused: {
    message: 'This Idempotency-Key was used for another request. Use a new key for a new request.',
  },
  rate_limited: { message: 'Too many requests. Try again in 2 s.' },
  internal_error: {
    message: 'Something went wrong on our side. Try again, or contact support with the request ID.',
  },
  temporarily_unavailable: { message: 'The service is unavailable. Try again shortly.' },
};

function ofField(path: string, message: string): Example {
  return { message, errors: [{ path, message }] };
}

/** An example for each error code that a route can return, as components of the document. */
export function errorExampleComponents(contracts: Contracts): Record<string, JsonSchema> {
  const codes = new Set(Object.values(contracts).flatMap(possibleErrors));
  const entries = [...codes].sort().map((error) => {
    const { message, ...extras } = EXAMPLES[error];
    return [error, { value: { error, message, requestId: REQUEST_ID, ...extras } }];
  });
  return Object.fromEntries(entries) as Record<string, JsonSchema>;
}
