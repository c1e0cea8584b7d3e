import type { MessageOf } from '../../domain/outbox-message.ts';
import {
  CLINIC_QUEUE,
  ENDPOINT_HEALTH_WORKFLOW,
  endpointHealthWorkflowId,
  FAILING_SIGNAL,
  REPLAY_WORKFLOW,
  replayWorkflowId,
  SWITCHED_OFF_SIGNAL,
} from '../../domain/temporal-names.ts';
import type { EndpointHealthInput } from '../../workflows/endpoint-health.workflow.ts';
import { CLINIC_ID, ENDPOINT_ID } from '../../workflows/search-attribute-keys.ts';
import type { ReplayInput } from '../../workflows/webhook-replay.workflow.ts';
import { startPolicy, type SignalledStart, type WorkflowStart } from './workflow-starts.ts';

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
    ...startPolicy({ isRestart: true }),
    ...signal,
    workflowType: ENDPOINT_HEALTH_WORKFLOW,
    workflowId: endpointHealthWorkflowId(endpointId),
    taskQueue: CLINIC_QUEUE,
    args: [input],
    typedSearchAttributes: endpointAttributes(clinicId, endpointId),
    staticSummary: `Health of endpoint ${endpointId}`,
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
