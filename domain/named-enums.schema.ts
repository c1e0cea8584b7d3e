import { z } from 'zod';
import {
  APPOINTMENT_SOURCES,
  APPOINTMENT_STATUSES,
  CANCELLATION_REASONS,
} from './appointments/appointment-status.ts';
import { CALL_EVENT_TYPES, CALL_OUTCOMES, CALL_STATUSES } from './calls/call.ts';
import { SCOPES } from './clinic/api-scopes.ts';
import { SPECIALTIES, TENANT_PLANS, TENANT_STATUSES } from './clinic/tenant.ts';
import { ERROR_STATUS, type ErrorCode } from './error-codes.ts';
import { DELIVERY_STATUSES, ENDPOINT_STATUSES, ERROR_CLASSES } from './webhooks/delivery-status.ts';
import { NOTIFICATION_KINDS } from './webhooks/endpoint-notification.ts';
import { EVENT_TYPES, TEST_EVENT_TYPE } from './webhooks/event-types.ts';
import { SUBSCRIPTION_PATTERNS } from './webhooks/subscription.ts';

const codes = Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]];

/** Each set of codes once, under the name that client generators give its type. What is `isOpen` may grow within v1. */
export const appointmentStatus = z.enum(APPOINTMENT_STATUSES).meta({ id: 'AppointmentStatus' });
export const appointmentSource = z.enum(APPOINTMENT_SOURCES).meta({ id: 'AppointmentSource' });
export const cancellationReason = z.enum(CANCELLATION_REASONS).meta({ id: 'CancellationReason' });
export const callStatus = z.enum(CALL_STATUSES).meta({ id: 'CallStatus' });
export const callOutcome = z.enum(CALL_OUTCOMES).meta({ id: 'CallOutcome' });
export const callEventType = z.enum(CALL_EVENT_TYPES).meta({ id: 'CallEventType' });
export const specialty = z.enum(SPECIALTIES).meta({ id: 'Specialty' });
export const tenantPlan = z.enum(TENANT_PLANS).meta({ id: 'TenantPlan' });
export const tenantStatus = z.enum(TENANT_STATUSES).meta({ id: 'TenantStatus' });
export const deliveryStatus = z.enum(DELIVERY_STATUSES).meta({ id: 'WebhookDeliveryStatus' });
export const endpointStatus = z.enum(ENDPOINT_STATUSES).meta({
  id: 'WebhookEndpointStatus',
  description:
    '`failing`: an event has used up its attempts; new ones are still sent. `deactivated`: it kept failing for 24 hours. ' +
    '`disabled`: the clinic switched it off.',
});
export const eventType = z.enum(EVENT_TYPES).meta({ id: 'EventType', isOpen: true });
export const anyEventType = z
  .enum([...EVENT_TYPES, TEST_EVENT_TYPE])
  .meta({ id: 'AnyEventType', isOpen: true });
export const errorClass = z.enum(ERROR_CLASSES).meta({ id: 'ErrorClass', isOpen: true });
export const errorCode = z.enum(codes).meta({ id: 'ErrorCode', isOpen: true });
export const notificationKind = z.enum(NOTIFICATION_KINDS).meta({ id: 'NotificationKind', isOpen: true });
export const scope = z.enum(SCOPES).meta({ id: 'Scope', isOpen: true });
export const subscriptionPattern = z
  .enum(SUBSCRIPTION_PATTERNS)
  .meta({ id: 'SubscriptionPattern', isOpen: true });
export const attemptOutcome = z.enum(['succeeded', 'failed']).meta({ id: 'WebhookAttemptOutcome' });
