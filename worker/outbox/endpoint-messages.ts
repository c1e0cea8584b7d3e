import type { WorkflowOptions } from '@temporalio/client';
import type { DeliveryIds, MessageOf } from '../../domain/outbox-message.ts';
import {
  CLINIC_QUEUE,
  DELIVERY_WORKFLOW,
  ENDPOINT_HEALTH_WORKFLOW,
  endpointHealthWorkflowId,
  FAILING_SIGNAL,
  REPLAY_WORKFLOW,
  replayWorkflowId,
  RETRY_NOW_SIGNAL,
  SWITCHED_OFF_SIGNAL,
  WEBHOOK_DELIVERY_QUEUE,
} from '../../domain/temporal-names.ts';
import type { EndpointHealthInput } from '../../workflows/endpoint-health.workflow.ts';
import { CLINIC_ID, ENDPOINT_ID } from '../../workflows/search-attribute-keys.ts';
import type { DeliveryInput } from '../../workflows/webhook-delivery.workflow.ts';
import type { ReplayInput } from '../../workflows/webhook-replay.workflow.ts';
import { deliveryAttributes, startPolicy, turnOf, type WorkflowStart } from './workflow-starts.ts';

export interface SignalledStart {
  workflowType: string;
  options: WorkflowOptions & { signal: string; signalArgs: unknown[]; args: [object] };
}

/** The endpoint's workflow hears of it, or begins with it: another episode may follow one that has ended. */
export function endpointHealthSignal(
  message: MessageOf<'endpointFailing'> | MessageOf<'endpointSwitchedOff'>,
): SignalledStart {
  const { endpointId, clinicId } = message;
  const input: EndpointHealthInput = { endpointId, clinicId };
  const signal =
    message.kind === 'endpointFailing'
      ? { signal: FAILING_SIGNAL, signalArgs: [{ deactivateAt: message.deactivateAt }] }
      : { signal: SWITCHED_OFF_SIGNAL, signalArgs: [{ at: message.at }] };
  return {
    workflowType: ENDPOINT_HEALTH_WORKFLOW,
    options: {
      ...signal,
      workflowId: endpointHealthWorkflowId(endpointId),
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      taskQueue: CLINIC_QUEUE,
      args: [input],
      typedSearchAttributes: endpointAttributes(clinicId, endpointId),
      staticSummary: `Health of endpoint ${endpointId}`,
    },
  };
}

/** The delivery's workflow makes its next attempt now; one that is missing is started, and finds the attempt due. */
export function retrySignal(workflowId: string, delivery: DeliveryIds): SignalledStart {
  const input: DeliveryInput = { deliveryId: delivery.deliveryId, clinicId: delivery.tenantId };
  return {
    workflowType: DELIVERY_WORKFLOW,
    options: {
      signal: RETRY_NOW_SIGNAL,
      signalArgs: [],
      workflowId,
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      taskQueue: WEBHOOK_DELIVERY_QUEUE,
      priority: turnOf(delivery.tenantId),
      args: [input],
      typedSearchAttributes: deliveryAttributes(delivery),
      staticSummary: `${delivery.eventType} to endpoint ${delivery.endpointId}`,
    },
  };
}

export function replayStart(message: MessageOf<'startReplay'>): WorkflowStart {
  const { replayId, clinicId, endpointId } = message;
  const input: ReplayInput = { replayId, clinicId };
  return {
    ...startPolicy(message),
    workflowType: REPLAY_WORKFLOW,
    workflowId: replayWorkflowId(replayId),
    taskQueue: CLINIC_QUEUE,
    args: [input],
    typedSearchAttributes: endpointAttributes(clinicId, endpointId),
    staticSummary: `Replay to endpoint ${endpointId}`,
  };
}

function endpointAttributes(clinicId: string, endpointId: string) {
  return [
    { key: CLINIC_ID, value: clinicId },
    { key: ENDPOINT_ID, value: endpointId },
  ];
}
