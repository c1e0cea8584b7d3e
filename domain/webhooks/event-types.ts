/** docs/webhooks.md#what-arrives */
export const EVENT_TYPES = [
  'appointment.created',
  'appointment.updated',
  'appointment.cancelled',
  'appointment.attended',
  'appointment.no_show',
  'appointment.rescheduled',
  'appointment.unacknowledged',
  'appointment.reminder_due',
  'call.started',
  'call.completed',
  'call.recording_ready',
  'patient.recall_due',
  'patient.erased',
  'nps.submitted',
  'triage.submitted',
  'tenant.config_updated',
  'endpoint.failing',
  'endpoint.deactivated',
  'endpoint.recovered',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** A test event is sent to one endpoint on request; endpoints cannot subscribe to it. */
export const TEST_EVENT_TYPE = 'webhook.test';
export type AnyEventType = EventType | typeof TEST_EVENT_TYPE;

/** It contains a link that acts for the patient: only endpoints that name it get it. docs/reminders.md */
export const REMINDER_DUE = 'appointment.reminder_due' satisfies EventType;
