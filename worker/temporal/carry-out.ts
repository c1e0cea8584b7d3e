import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError, type Client } from '@temporalio/client';
import type { Logger } from '../../adapters/logs/logger.ts';
import { afterRunning } from '../../adapters/timing/after-running.ts';
import type { OutboxMessage } from '../../domain/outbox-message.ts';
import {
  CORRECTED_SIGNAL,
  endpointHealthWorkflowId,
  noShowWorkflowId,
  ROOM_SIGNAL,
  STOP_SIGNAL,
} from '../../domain/temporal-names.ts';
import { describeTemporalError, TemporalSilent, type TemporalDoor } from './temporal-door.ts';
import {
  endpointHealthSignal,
  noShowStart,
  replayStart,
  retrySignal,
  type SignalledStart,
  type WorkflowStart,
} from './workflow-starts.ts';

const CALL_LIMIT_MS = 5000;

export interface CarryOutOptions {
  /** DASHBOARD_URL: links lead there. */
  dashboardUrl?: string | null;
  temporal: Pick<TemporalDoor, 'client'>;
  onStart: (start: { workflowType: string; eager: boolean }) => void;
}

/** Returns false when it was started before. */
export type StartWorkflow = (workflow: WorkflowStart) => Promise<boolean>;

/** Starts a workflow. One that was started before counts as started. */
export function createStartWorkflow({
  temporal,
  onStart,
}: Pick<CarryOutOptions, 'temporal' | 'onStart'>): StartWorkflow {
  return async ({ workflowType, ...options }) =>
    onceAtLeast(temporal.client(), async (client) => {
      const handle = await client.workflow.start(workflowType, options);
      onStart({ workflowType, eager: handle.eagerlyStarted });
    });
}

/** Asks Temporal for something that it always knows. */
export function createReachTemporal({ temporal }: Pick<CarryOutOptions, 'temporal'>) {
  return () =>
    inTime(temporal.client(), async ({ connection }) => {
      await connection.workflowService.getSystemInfo({});
    });
}

/** Tells a workflow of an open delivery that there is room for the attempt that was put off; returns whether it heard it. */
export function createSignalRoom(client: Client, logger: Logger) {
  return async (workflowId: string): Promise<boolean> => {
    try {
      await inTime(client, () => client.workflow.getHandle(workflowId).signal(ROOM_SIGNAL));
      return true;
    } catch (error) {
      logger.warn({ workflowId, lastError: describeTemporalError(error) }, 'delivery.room_not_told');
      return false;
    }
  };
}

/**
 * Tells Temporal what an outbox row asks. Rows are carried out at least once: what was done before counts as done.
 * @throws UnknownMessage for a kind that only a newer version knows
 */
export function createCarryOut(options: CarryOutOptions) {
  const { temporal } = options;
  const start = createStartWorkflow(options);
  const signal = (workflowId: string, name: string) =>
    onceAtLeast(temporal.client(), (client) => client.workflow.getHandle(workflowId).signal(name));
  // One that ended meanwhile has to be started: "not found" is no answer here, and the row is tried again.
  const signalOrStart = ({ workflowType, ...how }: SignalledStart) =>
    inTime(temporal.client(), async (client) => {
      await client.workflow.signalWithStart(workflowType, how);
    });

  return async (message: OutboxMessage): Promise<unknown> => {
    switch (message.kind) {
      case 'startNoShow':
        return start(noShowStart(message));
      case 'settleNoShow':
        return signal(noShowWorkflowId(message.appointmentId), message.signal);
      case 'retryDelivery':
        return signalOrStart(retrySignal(message.workflowId, message.delivery, options.dashboardUrl));
      case 'stopDelivery':
        return signal(message.workflowId, STOP_SIGNAL);
      case 'endpointFailing':
      case 'endpointSwitchedOff':
        return signalOrStart(endpointHealthSignal(message, options.dashboardUrl));
      case 'endpointCorrected':
        return signal(endpointHealthWorkflowId(message.endpointId), CORRECTED_SIGNAL);
      case 'startReplay':
        return start(replayStart(message, options.dashboardUrl));
      case 'startBurst':
      case 'startDelivery':
      default:
        throw new UnknownMessage(message);
    }
  };
}

/** The row stays until a version that knows the kind carries it out. */
export class UnknownMessage extends Error {
  override readonly name = 'UnknownMessage';

  constructor({ kind }: { kind: string }) {
    super(`this version does not carry out messages of the kind ${kind}`);
  }
}

/** What was done before counts as done; returns false for it. */
async function onceAtLeast(client: Client, call: (client: Client) => Promise<void>): Promise<boolean> {
  try {
    await inTime(client, call);
    return true;
  } catch (error) {
    // The workflow was started before, or has ended and needs no signal any more.
    const isDone =
      error instanceof WorkflowExecutionAlreadyStartedError || error instanceof WorkflowNotFoundError;
    if (!isDone) throw error;
    return false;
  }
}

/**
 * The connection holds each try to the deadline, and tries again for as long as it likes: the call as a whole is given up here.
 * Should it come about later, it is one that was made before.
 */
async function inTime(client: Client, call: (client: Client) => Promise<void>): Promise<void> {
  const late = Promise.withResolvers<never>();
  const cancel = afterRunning(CALL_LIMIT_MS, () => late.reject(new TemporalSilent(CALL_LIMIT_MS)));
  try {
    const made = client.withDeadline(Date.now() + CALL_LIMIT_MS, () => call(client));
    await Promise.race([made, late.promise]);
  } finally {
    cancel();
  }
}
