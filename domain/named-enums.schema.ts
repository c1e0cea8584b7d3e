import { z } from 'zod';
import {
  APPOINTMENT_SOURCES,
  APPOINTMENT_STATUSES,
  CANCELLATION_REASONS,
} from './appointments/appointment-status.ts';
import { IMPORTED_STATUSES } from './appointments/imported-visit.ts';
import { CALL_EVENT_TYPES, CALL_OUTCOMES, CALL_STATUSES } from './calls/call.ts';
import { PRESETS, SCOPES } from './clinic/api-scopes.ts';
import { SPECIALTIES, TENANT_PLANS, TENANT_STATUSES } from './clinic/tenant.ts';
import { ERROR_STATUS, type ErrorCode } from './error-codes.ts';
import { ACTOR_TYPES } from './webhooks/event-actor.ts';
import { DELIVERY_STATUSES } from './webhooks/delivery-status.ts';
import { ENDPOINT_STATUSES } from './webhooks/endpoint-status.ts';
import { ERROR_CLASSES } from './webhooks/attempt-error.ts';
import { NOTIFICATION_KINDS } from './webhooks/endpoint-notification.ts';
import { EVENT_TYPES, TEST_EVENT_TYPE } from './webhooks/event-types.ts';
import { SUBSCRIPTION_PATTERNS } from './webhooks/subscription.ts';

const codes = Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]];

/** Each set of codes once, under the name that client generators give its type. What is `isOpen` may grow within v1. */
export const appointmentStatus = z.enum(APPOINTMENT_STATUSES).meta({
  id: 'AppointmentStatus',
  description:
    '`confirmed`: booked. `attended`: the patient checked in. `no_show`: nobody came within 30 minutes of the start. ' +
    '`cancelled`: called off. `rescheduled`: replaced by the appointment in `rescheduledToId`.',
});
export const appointmentSource = z.enum(APPOINTMENT_SOURCES).meta({
  id: 'AppointmentSource',
  description:
    'Who booked: `voice_ai` the AI receptionist, `manual` the clinic, `self_service` the patient, `sync_external` another system.',
});
export const cancellationReason = z.enum(CANCELLATION_REASONS).meta({
  id: 'CancellationReason',
  description:
    'Who called it off: `patient_requested` the patient, `clinic_cancelled` the clinic, `auto` a program.',
});
export const importedStatus = z.enum(IMPORTED_STATUSES).meta({
  id: 'ImportedStatus',
  description: 'As of an appointment; one that was moved comes in as what it was moved to.',
});
export const importResult = z.enum(['created', 'updated', 'unchanged', 'refused']).meta({
  id: 'ImportResult',
  description:
    '`created`: it is there now. `updated`: it was there, and is now as the item says. `unchanged`: it was so already. ' +
    '`refused`: nothing was done about it, for the reason in `error`.',
});
export const inclusion = z.enum(['inactive']).meta({
  id: 'Inclusion',
  description: 'What a list also shows. `inactive`: who has left, and what is offered no longer.',
});
export const actorType = z.enum(ACTOR_TYPES).meta({
  id: 'EventActorType',
  description:
    '`api_key`: an API key of the clinic. `person`: somebody in the dashboard. `portal`: your integration partner in the portal. ' +
    '`patient`: the patient. `system`: the service itself.',
});
export const callStatus = z.enum(CALL_STATUSES).meta({
  id: 'CallStatus',
  description: '`in_progress` from its beginning, `completed` once its end was recorded.',
});
export const callOutcome = z.enum(CALL_OUTCOMES).meta({
  id: 'CallOutcome',
  description:
    'What came of the call: `booking_created`, `info_only` (a question was answered), `handoff_to_human`, `voicemail`, or ' +
    '`abandoned` by the caller.',
});
export const callEventType = z.enum(CALL_EVENT_TYPES).meta({
  id: 'CallEventType',
  description:
    '`speech`: somebody spoke. `tool_call` and `tool_result`: the receptionist used a tool, and what it got. ' +
    '`transcription_final`: the text of what was said is final.',
});
export const specialty = z.enum(SPECIALTIES).meta({
  id: 'Specialty',
  description: 'What kind of clinic it is.',
});
export const tenantPlan = z.enum(TENANT_PLANS).meta({
  id: 'TenantPlan',
  description: 'What the clinic has subscribed to; set by the operator.',
});
export const tenantStatus = z.enum(TENANT_STATUSES).meta({
  id: 'TenantStatus',
  description:
    'How the contract stands; set by the operator. With `canceled` requests are refused and deliveries skipped.',
});
export const deliveryStatus = z.enum(DELIVERY_STATUSES).meta({
  id: 'WebhookDeliveryStatus',
  description:
    '`pending`: before its first attempt. `retrying`: an attempt failed, the next is at `nextAttemptAt`. `succeeded`. ' +
    '`failed`: six attempts failed. `skipped`: the endpoint was off; a replay sends it.',
});
export const endpointStatus = z.enum(ENDPOINT_STATUSES).meta({
  id: 'WebhookEndpointStatus',
  description:
    '`active`: receives events. `failing`: an event has used up its attempts; new ones are still sent. `deactivated`: it kept ' +
    'failing for 24 hours. `disabled`: the clinic switched it off.',
});
export const eventType = z.enum(EVENT_TYPES).meta({
  id: 'EventType',
  isOpen: true,
  description: 'What happened; more types may be added. Each is described under the webhook events.',
});
export const anyEventType = z.enum([...EVENT_TYPES, TEST_EVENT_TYPE]).meta({
  id: 'AnyEventType',
  isOpen: true,
  description:
    'The type of an event, or `webhook.test`, which nobody subscribes to. More types may be added.',
});
export const errorClass = z.enum(ERROR_CLASSES).meta({
  id: 'ErrorClass',
  isOpen: true,
  description:
    'Why an attempt failed, from the name not found to the receiver’s own error. More may be added.',
});
export const errorCode = z.enum(codes).meta({
  id: 'ErrorCode',
  isOpen: true,
  description: 'What was wrong, for programs: decide by this code. More may be added.',
});
export const notificationKind = z.enum(NOTIFICATION_KINDS).meta({
  id: 'NotificationKind',
  isOpen: true,
  description:
    '`endpoint_failing`: an event has used up its attempts. `endpoint_deactivated`: it kept failing for 24 hours. More may be added.',
});
export const scope = z.enum(SCOPES).meta({
  id: 'Scope',
  isOpen: true,
  description: 'What a key may do. A write scope does not include reading. More may be added.',
});
export const scopePreset = z.enum(PRESETS).meta({
  id: 'ScopePreset',
  description:
    'Scopes under one name: `pms` for a practice management system, `reporting` every read scope, `everything`.',
});
export const subscriptionPattern = z.enum(SUBSCRIPTION_PATTERNS).meta({
  id: 'SubscriptionPattern',
  isOpen: true,
  description: 'A type of event, a group such as `appointment.*`, or `*` for all.',
});
export const replayedDeliveries = z.enum(['skipped', 'failed', 'all']).meta({
  id: 'ReplayedDeliveries',
  description: 'What is sent again: `skipped` or `failed` deliveries only, or `all` that have ended.',
});
export const attemptOutcome = z.enum(['succeeded', 'failed']).meta({
  id: 'WebhookAttemptOutcome',
  description: '`succeeded`: the receiver answered with a 2xx within 10 seconds. `failed`: anything else.',
});
