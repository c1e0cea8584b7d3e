import type { WorkflowStartOptions } from '@temporalio/client';
import type { SearchAttributePair } from '@temporalio/common';
import type { DeliveryReport } from '../../sending/delivery-report.ts';
import type { DeliveryIds, MessageOf } from '../../domain/outbox-message.ts';
import {
  BURST_WORKFLOW,
  CLINIC_QUEUE,
  DELIVERY_WORKFLOW,
  ENDPOINT_HEALTH_WORKFLOW,
  endpointHealthWorkflowId,
  FAILING_SIGNAL,
  NO_SHOW_WORKFLOW,
  noShowWorkflowId,
  REPLAY_WORKFLOW,
  replayWorkflowId,
  RETRY_NOW_SIGNAL,
  SWITCHED_OFF_SIGNAL,
  WEBHOOK_DELIVERY_QUEUE,
} from '../../domain/temporal-names.ts';
import type { EndpointInQuestion } from '../../activities/endpoint-health.activities.ts';
import type { ReplayInQuestion } from '../../activities/replay.activities.ts';
import type { NoShowInput } from '../../workflows/appointment-no-show.workflow.ts';
import {
  APPOINTMENT_ID,
  CLINIC_ID,
  DELIVERY_ATTEMPT,
  DELIVERY_STATUS,
  ENDPOINT_ID,
  EVENT_TYPE,
  NEXT_ATTEMPT_AT,
} from '../../workflows/search-attribute-keys.ts';
import type { BurstInput } from '../../workflows/webhook-burst.workflow.ts';
import type { DeliveryInput, RetryNow } from '../../workflows/webhook-delivery.workflow.ts';

export type WorkflowStart = WorkflowStartOptions & { workflowType: string };
/** A signal that starts the workflow if it does not run yet. */
export type SignalledStart = WorkflowStart & { signal: string; signalArgs: unknown[] };

/** For a row that may be processed twice: the workflow is already running, or has ended and must not run again. */
const ONCE = { workflowIdReusePolicy: 'REJECT_DUPLICATE', workflowIdConflictPolicy: 'USE_EXISTING' } as const;

/** Starts the workflow unless it is running, even if an earlier run has ended, because the rows need it. */
const AGAIN = { ...ONCE, workflowIdReusePolicy: 'ALLOW_DUPLICATE' } as const;

function startPolicy({ isRestart = false }: { isRestart?: boolean }): typeof ONCE | typeof AGAIN {
  return isRestart ? AGAIN : ONCE;
}

export function noShowStart(message: MessageOf<'startNoShow'>): WorkflowStart {
  const { appointmentId, clinicId, dueAt } = message;
  return {
    ...startPolicy(message),
    // The first task arrives with the response to the start, which saves two round trips.
    requestEagerStart: true,
    workflowType: NO_SHOW_WORKFLOW,
    workflowId: noShowWorkflowId(appointmentId),
    taskQueue: CLINIC_QUEUE,
    args: [{ appointmentId, clinicId, dueAt } satisfies NoShowInput],
    typedSearchAttributes: [
      { key: CLINIC_ID, value: clinicId },
      { key: APPOINTMENT_ID, value: appointmentId },
      { key: NEXT_ATTEMPT_AT, value: new Date(dueAt) },
    ],
    staticSummary: `No-show at ${dueAt} unless checked in`,
    staticDetails: details({ Appointment: appointmentId, Clinic: clinicId }),
  };
}

/**
 * How to start a delivery's workflow. An open delivery gets a workflow even if an earlier run has ended; for a final
 * delivery, one record is enough. @param attempted the state of the delivery when the workflow starts
 */
export function deliveryStart(
  delivery: DeliveryIds & { workflowId: string; host?: string },
  attempted: Pick<DeliveryInput, 'first' | 'unrecorded'>,
  dashboardUrl: string | null = null,
): WorkflowStart {
  const { deliveryId, tenantId: clinicId, endpointId, eventType, workflowId } = delivery;
  const { first } = attempted;
  return {
    ...startPolicy({ isRestart: first?.status === 'retrying' }),
    workflowType: DELIVERY_WORKFLOW,
    workflowId,
    taskQueue: WEBHOOK_DELIVERY_QUEUE,
    // In Temporal too, one delivery of a clinic must not wait behind another clinic's thousands. Activities inherit the
    // key.
    priority: { fairnessKey: clinicId },
    args: [{ deliveryId, clinicId, ...attempted } satisfies DeliveryInput],
    typedSearchAttributes: [...deliveryAttributes(delivery), ...progressAttributes(first)],
    staticSummary: `${eventType} to ${delivery.host ?? `endpoint ${endpointId}`}${first ? `. Attempt 1: ${first.lastOutcome}` : ''}`,
    staticDetails: details({
      Host: delivery.host,
      Event: eventType,
      Appointment: delivery.appointmentId,
      Delivery: deliveryId,
      Endpoint: endpointId,
      Clinic: clinicId,
      Page: pageOf(dashboardUrl, `deliveries/${deliveryId}`),
    }),
  };
}

/**
 * Makes the delivery's workflow make its next attempt now. If the workflow is missing, it is started and finds that the
 * attempt is due.
 */
export function retrySignal(
  workflowId: string,
  delivery: DeliveryIds,
  dashboardUrl: string | null = null,
): SignalledStart {
  return {
    ...deliveryStart({ ...delivery, workflowId }, {}, dashboardUrl),
    ...startPolicy({ isRestart: true }),
    signal: RETRY_NOW_SIGNAL,
    signalArgs: [{ isDue: true } satisfies RetryNow],
  };
}

function deliveryAttributes(delivery: DeliveryIds): SearchAttributePair[] {
  const { tenantId, endpointId, eventType, appointmentId } = delivery;
  return [
    ...endpointAttributes(tenantId, endpointId),
    { key: EVENT_TYPE, value: eventType },
    ...(appointmentId ? [{ key: APPOINTMENT_ID, value: appointmentId }] : []),
  ];
}

/** The search attributes that describe the progress of a delivery after its first failure. */
function progressAttributes(first: DeliveryReport | undefined): SearchAttributePair[] {
  if (!first || first.status === 'succeeded') return [];
  return [
    { key: DELIVERY_STATUS, value: first.status },
    { key: DELIVERY_ATTEMPT, value: first.attempts },
    ...(first.status === 'retrying' ? [{ key: NEXT_ATTEMPT_AT, value: new Date(first.nextAttemptAt) }] : []),
  ];
}

/**
 * How to start a burst. A burst that is running without a worker also counts as started before, and may not contain
 * these deliveries.
 */
export function burstStart(workflowId: string, { clinicId, deliveries }: BurstInput): WorkflowStart {
  return {
    ...ONCE,
    workflowIdConflictPolicy: 'FAIL',
    workflowType: BURST_WORKFLOW,
    workflowId,
    taskQueue: WEBHOOK_DELIVERY_QUEUE,
    priority: { fairnessKey: clinicId },
    args: [{ clinicId, deliveries } satisfies BurstInput],
    typedSearchAttributes: [{ key: CLINIC_ID, value: clinicId }],
    staticSummary: `${deliveries.length} deliveries that succeeded at their first attempt`,
    staticDetails: details({ Clinic: clinicId }),
  };
}

/** Signals the endpoint's workflow or starts it, because an endpoint can fail again after the workflow has ended. */
export function endpointHealthSignal(
  message: MessageOf<'endpointFailing'> | MessageOf<'endpointSwitchedOff'>,
  dashboardUrl: string | null = null,
): SignalledStart {
  const { endpointId, clinicId } = message;
  const signal =
    message.kind === 'endpointFailing'
      ? { signal: FAILING_SIGNAL, signalArgs: [{ deactivateAt: message.deactivateAt }] }
      : { signal: SWITCHED_OFF_SIGNAL, signalArgs: [{ at: message.at }] };
  return {
    ...startPolicy({ isRestart: true }),
    ...signal,
    workflowType: ENDPOINT_HEALTH_WORKFLOW,
    workflowId: endpointHealthWorkflowId(endpointId),
    taskQueue: CLINIC_QUEUE,
    args: [{ endpointId, clinicId } satisfies EndpointInQuestion],
    ...aboutEndpoint(message, dashboardUrl),
    staticSummary: `Health of endpoint ${endpointId}`,
  };
}

export function replayStart(
  message: MessageOf<'startReplay'>,
  dashboardUrl: string | null = null,
): WorkflowStart {
  const { replayId, clinicId, endpointId } = message;
  return {
    ...startPolicy(message),
    workflowType: REPLAY_WORKFLOW,
    workflowId: replayWorkflowId(replayId),
    taskQueue: CLINIC_QUEUE,
    args: [{ replayId, clinicId } satisfies ReplayInQuestion],
    ...aboutEndpoint(message, dashboardUrl),
    staticSummary: `Replay to endpoint ${endpointId}`,
  };
}

function endpointAttributes(clinicId: string, endpointId: string): SearchAttributePair[] {
  return [
    { key: CLINIC_ID, value: clinicId },
    { key: ENDPOINT_ID, value: endpointId },
  ];
}

/** The search attributes and details of an endpoint's workflow. */
function aboutEndpoint(
  { clinicId, endpointId }: { clinicId: string; endpointId: string },
  dashboardUrl: string | null,
): Pick<WorkflowStart, 'typedSearchAttributes' | 'staticDetails'> {
  return {
    typedSearchAttributes: endpointAttributes(clinicId, endpointId),
    staticDetails: details({
      Endpoint: endpointId,
      Clinic: clinicId,
      Page: pageOf(dashboardUrl, `endpoints/${endpointId}`),
    }),
  };
}

function pageOf(dashboardUrl: string | null, path: string): string | null {
  return dashboardUrl && `${dashboardUrl}/integrations/${path}`;
}

function details(facts: Record<string, string | null | undefined>): string {
  return Object.entries(facts)
    .filter(([, fact]) => fact)
    .map(([name, id]) => `- ${name} \`${id}\``)
    .join('\n');
}
