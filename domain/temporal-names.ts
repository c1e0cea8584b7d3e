/** Names that operators see in the Temporal UI: docs/temporal.md */
export const CLINIC_QUEUE = 'clinic';
export const BACKGROUND_QUEUE = 'clinic-background';
export const WEBHOOK_DELIVERY_QUEUE = 'webhook-delivery';

export type TaskKind = 'workflow' | 'activity';

/** The queues that every worker polls. */
export const POLLED_QUEUES: readonly { taskQueue: string; kind: TaskKind }[] = [
  { taskQueue: CLINIC_QUEUE, kind: 'workflow' },
  { taskQueue: CLINIC_QUEUE, kind: 'activity' },
  { taskQueue: BACKGROUND_QUEUE, kind: 'activity' },
  { taskQueue: WEBHOOK_DELIVERY_QUEUE, kind: 'workflow' },
  { taskQueue: WEBHOOK_DELIVERY_QUEUE, kind: 'activity' },
];

export const NO_SHOW_WORKFLOW = 'appointmentNoShow';
export const DELIVERY_WORKFLOW = 'webhookDelivery';
export const BURST_WORKFLOW = 'webhookBurst';
export const ENDPOINT_HEALTH_WORKFLOW = 'endpointHealth';
export const REPLAY_WORKFLOW = 'webhookReplay';
export const RECALL_SCAN_WORKFLOW = 'recallScan';
export const RECONCILE_WORKFLOW = 'reconcile';
export const RETENTION_WORKFLOW = 'retention';

export const RECALL_SCAN_SCHEDULE = 'recall-scan';
export const RECONCILE_SCHEDULE = 'reconcile';
export const RETENTION_SCHEDULE = 'retention';

export function noShowWorkflowId(appointmentId: string): string {
  return `appointment:${appointmentId}`;
}

/** @param resendNumber 0 for the first delivery of the event, 1 and up for resends */
export function deliveryWorkflowId(eventId: string, endpointId: string, resendNumber: number): string {
  const id = `delivery:${eventId}:${endpointId}`;
  return resendNumber === 0 ? id : `${id}:${resendNumber}`;
}

const BURST_PREFIX = 'burst:';

export function burstWorkflowId(burstId: string): string {
  return BURST_PREFIX + burstId;
}

export function isBurstWorkflowId(workflowId: string): boolean {
  return workflowId.startsWith(BURST_PREFIX);
}

export function endpointHealthWorkflowId(endpointId: string): string {
  return `endpoint:${endpointId}`;
}

export function replayWorkflowId(replayId: string): string {
  return `replay:${replayId}`;
}

export const CHECKED_IN_SIGNAL = 'checkedIn';
export const CANCELLED_SIGNAL = 'cancelled';
export const RESCHEDULED_SIGNAL = 'rescheduled';
export type SettledSignal = typeof CHECKED_IN_SIGNAL | typeof CANCELLED_SIGNAL | typeof RESCHEDULED_SIGNAL;

export const RETRY_NOW_SIGNAL = 'retryNow';
/** A concurrency slot is free for a deferred attempt. */
export const ROOM_SIGNAL = 'room';
export const STOP_SIGNAL = 'stop';

export const FAILING_SIGNAL = 'failing';
export const CORRECTED_SIGNAL = 'corrected';
export const SWITCHED_OFF_SIGNAL = 'switchedOff';

/** Search attributes and their Temporal types; every namespace must register them. */
export const SEARCH_ATTRIBUTES = {
  ClinicId: 'KEYWORD',
  AppointmentId: 'KEYWORD',
  EndpointId: 'KEYWORD',
  EventType: 'KEYWORD',
  DeliveryStatus: 'KEYWORD',
  DeliveryAttempt: 'INT',
  NextAttemptAt: 'DATETIME',
} as const;

/** How long Temporal stores the history of an ended workflow. */
export const WORKFLOW_RETENTION_DAYS = 30;
