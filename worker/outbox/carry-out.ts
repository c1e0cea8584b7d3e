import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError, type Client } from '@temporalio/client';
import type { OutboxMessage } from '../../domain/outbox-message.ts';
import {
  CORRECTED_SIGNAL,
  endpointHealthWorkflowId,
  noShowWorkflowId,
  RETRY_NOW_SIGNAL,
  STOP_SIGNAL,
} from '../../domain/temporal-names.ts';
import { endpointHealthSignal, replayStart, type SignalledStart } from './endpoint-messages.ts';
import { deliveryStart, noShowStart, type WorkflowStart } from './workflow-starts.ts';

/** Half of the outbox lease: a call has ended before another dispatcher may take its row. */
const CALL_LIMIT_MS = 5000;

export interface CarryOutOptions {
  /** Must share the workers' connection, or no workflow can start eagerly. */
  client: Client;
  onStart: (start: { workflowType: string; eager: boolean }) => void;
}

/** Tells Temporal what an outbox row asks. What was told before counts as told: rows are carried out at least once. */
export function createCarryOut({ client, onStart }: CarryOutOptions) {
  const start = async ({ workflowType, ...options }: WorkflowStart): Promise<void> => {
    const handle = await client.workflow.start(workflowType, options);
    onStart({ workflowType, eager: handle.eagerlyStarted });
  };
  const signal = (workflowId: string, name: string) => client.workflow.getHandle(workflowId).signal(name);
  const signalOrStart = async ({ workflowType, options }: SignalledStart): Promise<void> => {
    await client.workflow.signalWithStart(workflowType, options);
  };

  const tell = (message: OutboxMessage): Promise<void> => {
    switch (message.kind) {
      case 'startNoShow':
        return start(noShowStart(message));
      case 'settleNoShow':
        return signal(noShowWorkflowId(message.appointmentId), message.signal);
      case 'startDelivery':
        return start(deliveryStart(message));
      case 'retryDelivery':
        return signal(message.workflowId, RETRY_NOW_SIGNAL);
      case 'stopDelivery':
        return signal(message.workflowId, STOP_SIGNAL);
      case 'endpointFailing':
      case 'endpointSwitchedOff':
        return signalOrStart(endpointHealthSignal(message));
      case 'endpointCorrected':
        return signal(endpointHealthWorkflowId(message.endpointId), CORRECTED_SIGNAL);
      case 'startReplay':
        return start(replayStart(message));
    }
  };

  return async (message: OutboxMessage): Promise<void> => {
    try {
      await client.withDeadline(Date.now() + CALL_LIMIT_MS, () => tell(message));
    } catch (error) {
      if (!isAlreadyTold(error)) throw error;
    }
  };
}

/** The workflow was started before, or has ended and needs no signal any more. */
function isAlreadyTold(error: unknown): boolean {
  return error instanceof WorkflowExecutionAlreadyStartedError || error instanceof WorkflowNotFoundError;
}
