import { z } from 'zod';
import { ACKNOWLEDGEMENT_STATES } from './appointments/acknowledgement.ts';
import {
  APPOINTMENT_SOURCES,
  APPOINTMENT_STATUSES,
  CANCELLATION_REASONS,
} from './appointments/appointment-status.ts';
import { IMPORTED_STATUSES } from './appointments/imported-visit.ts';
import {
  CALL_EVENT_TYPES,
  CALL_OUTCOMES,
  CALL_SPEAKERS,
  CALL_STATUSES,
  RECORDING_CONSENTS,
} from './calls/call.ts';
import { PRESETS, SCOPES } from './clinic/api-scopes.ts';
import { SPECIALTIES, TENANT_PLANS, TENANT_STATUSES } from './clinic/tenant.ts';
import { ERROR_STATUS, type ErrorCode } from './error-codes.ts';
import { ACTOR_TYPES } from './webhooks/event-actor.ts';
import { DELIVERY_MODES } from './webhooks/delivery-mode.ts';
import { DELIVERY_STATUSES } from './webhooks/delivery-status.ts';
import { SHOWN_STATUSES } from './webhooks/endpoint-status.ts';
import { ERROR_CLASSES } from './webhooks/attempt-error.ts';
import { TLS_FAULTS } from './webhooks/tls-fault.ts';
import { NOTIFICATION_KINDS } from './webhooks/endpoint-notification.ts';
import { EVENT_TYPES, TEST_EVENT_TYPE } from './webhooks/event-types.ts';
import { SUBSCRIPTION_PATTERNS } from './webhooks/subscription.ts';

const codes = Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]];

/** Each set of codes with the type name for client generators. Sets marked `isOpen` may grow within v1. */
export const appointmentStatus = z.enum(APPOINTMENT_STATUSES).meta({
  id: 'AppointmentStatus',
  description:
    '`confirmed`: booked. `attended`: the patient checked in. `no_show`: the patient did not come within 30 minutes of the start. ' +
    '`cancelled`: cancelled. `rescheduled`: replaced by the appointment in `rescheduledToId`.',
});
export const acknowledgementState = z.enum(ACKNOWLEDGEMENT_STATES).meta({
  id: 'AcknowledgementState',
  description:
    '`written`: your system has stored the version. `refused`: it has not, for the reason in `reason`.',
});
export const appointmentSource = z.enum(APPOINTMENT_SOURCES).meta({
  id: 'AppointmentSource',
  description:
    'Who booked: `voice_ai` (AI receptionist), `manual` (staff), `self_service` (patient, online), `sync_external` (another system).',
});
export const cancellationReason = z.enum(CANCELLATION_REASONS).meta({
  id: 'CancellationReason',
  description:
    'Why it was cancelled: `patient_requested` (patient), `clinic_cancelled` (clinic), `auto` (automatically).',
});
export const importedStatus = z.enum(IMPORTED_STATUSES).meta({
  id: 'ImportedStatus',
  description: 'The status of the appointment. Import a rescheduled one with its new time.',
});
export const importResult = z.enum(['created', 'updated', 'unchanged', 'refused']).meta({
  id: 'ImportResult',
  description:
    '`created`: new. `updated`: the existing appointment was changed. `unchanged`: it was already the same. ' +
    '`refused`: not imported, for the reason in `error`.',
});
export const inclusion = z.enum(['inactive']).meta({
  id: 'Inclusion',
  description: 'What a list also shows. `inactive`: inactive professionals or services.',
});
export const actorType = z.enum(ACTOR_TYPES).meta({
  id: 'EventActorType',
  description:
    '`api_key`: an API key of the clinic. `person`: a user of the dashboard. `portal`: your integration partner. ' +
    '`patient`: the patient. `system`: the service itself.',
});
export const callStatus = z.enum(CALL_STATUSES).meta({
  id: 'CallStatus',
  description: '`in_progress`, or `completed` after it has ended.',
});
export const callOutcome = z.enum(CALL_OUTCOMES).meta({
  id: 'CallOutcome',
  description:
    'The outcome: `booking_created`, `info_only` (a question was answered), `handoff_to_human`, `voicemail`, or ' +
    '`abandoned` by the caller.',
});
export const callEventType = z.enum(CALL_EVENT_TYPES).meta({
  id: 'CallEventType',
  description:
    '`speech`: something was said. `tool_call`, `tool_result`: the AI receptionist used a tool, and its result. ' +
    '`transcription_final`: the transcript is final.',
});
export const callSpeaker = z.enum(CALL_SPEAKERS).meta({
  id: 'CallSpeaker',
  description: 'Who spoke: `caller`, `assistant` (the AI receptionist) or `human` (someone of the clinic).',
});
export const recordingConsent = z.enum(RECORDING_CONSENTS).meta({
  id: 'RecordingConsent',
  description: 'Whether the caller agreed to a recording: `given`, `refused` or `not_asked`.',
});
export const specialty = z.enum(SPECIALTIES).meta({
  id: 'Specialty',
  description: 'The specialty of the clinic.',
});
export const tenantPlan = z.enum(TENANT_PLANS).meta({
  id: 'TenantPlan',
  description: 'The plan of the clinic. Set by the operator.',
});
export const tenantStatus = z.enum(TENANT_STATUSES).meta({
  id: 'TenantStatus',
  description:
    'The subscription status. Set by the operator. With `canceled`, requests are refused and deliveries skipped.',
});
export const deliveryStatus = z.enum(DELIVERY_STATUSES).meta({
  id: 'WebhookDeliveryStatus',
  description:
    '`pending`: before its first attempt. `retrying`: an attempt failed, the next is at `nextAttemptAt`. `succeeded`. ' +
    '`failed`: six attempts failed. `skipped`: the endpoint was disabled; a replay resends it.',
});
export const deliveryMode = z.enum(DELIVERY_MODES).meta({
  id: 'WebhookDeliveryMode',
  description:
    'How events arrive. `push`: they are posted to `url`. `pull`: they wait in a queue that your system reads. It cannot be changed.',
});
export const endpointStatus = z.enum(SHOWN_STATUSES).meta({
  id: 'WebhookEndpointStatus',
  description:
    '`active`: receives events. `failing`: all attempts for an event failed; new events are still sent. `paused`: deliveries wait until `pausedUntil`. `deactivated`: the endpoint kept ' +
    'failing for 24 hours. `disabled`: the clinic disabled it.',
});
export const eventType = z.enum(EVENT_TYPES).meta({
  id: 'EventType',
  isOpen: true,
  description: 'The event type. More can be added. Each is described under the webhook events.',
});
export const anyEventType = z.enum([...EVENT_TYPES, TEST_EVENT_TYPE]).meta({
  id: 'AnyEventType',
  isOpen: true,
  description: 'The event type, or `webhook.test`, which needs no subscription. More types can be added.',
});
export const errorClass = z.enum(ERROR_CLASSES).meta({
  id: 'ErrorClass',
  isOpen: true,
  description: 'Why an attempt failed. More codes can be added.',
});
export const tlsFault = z.enum(TLS_FAULTS).meta({
  id: 'TlsFault',
  isOpen: true,
  description: 'What is wrong with the TLS of a receiver. More codes can be added.',
});
export const errorCode = z.enum(codes).meta({
  id: 'ErrorCode',
  isOpen: true,
  description: 'The error code. Branch on it. More codes can be added.',
});
export const notificationKind = z.enum(NOTIFICATION_KINDS).meta({
  id: 'NotificationKind',
  isOpen: true,
  description:
    '`endpoint_failing`: all attempts for an event failed. `endpoint_deactivated`: it failed for 24 hours. ' +
    '`appointment_unacknowledged`: your system refused an appointment, or did not acknowledge it in time. More can be added.',
});
export const scope = z.enum(SCOPES).meta({
  id: 'Scope',
  isOpen: true,
  description: 'What a key can do. A write scope does not include reading. More can be added.',
});
export const scopePreset = z.enum(PRESETS).meta({
  id: 'ScopePreset',
  description:
    'A set of scopes: `pms` for practice software, `reporting` for every read scope, `everything` for all.',
});
export const subscriptionPattern = z.enum(SUBSCRIPTION_PATTERNS).meta({
  id: 'SubscriptionPattern',
  isOpen: true,
  description:
    'An event type, a group such as `appointment.*`, or `*` for all. `appointment.reminder_due` must be named itself.',
});
export const replayedDeliveries = z.enum(['skipped', 'failed', 'all']).meta({
  id: 'ReplayedDeliveries',
  description: 'What to resend: only `skipped` or `failed` deliveries, or `all` that have ended.',
});
export const attemptOutcome = z.enum(['succeeded', 'failed']).meta({
  id: 'WebhookAttemptOutcome',
  description: '`succeeded`: the endpoint answered 2xx within 10 seconds. `failed`: anything else.',
});
