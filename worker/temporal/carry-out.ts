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
  /** DASHBOARD_URL, for links. */
  dashboardUrl?: string | null;
  temporal: Pick<TemporalDoor, 'client'>;
  onStart: (start: { workflowType: string; eager: boolean }) => void;
}

/** Returns false when it was already started. */
export type StartWorkflow = (workflow: WorkflowStart) => Promise<boolean>;

/** Starts a workflow. One that was already started counts as started. */
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

/** Creates a check whether Temporal is reachable: a cheap call. */
export function createReachTemporal({ temporal }: Pick<CarryOutOptions, 'temporal'>) {
  return () =>
    inTime(temporal.client(), async ({ connection }) => {
      await connection.workflowService.getSystemInfo({});
    });
}

/** Signals the workflow of an open delivery that its deferred attempt can run; returns whether the signal arrived. */
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
 * Carries out an outbox row in Temporal. Rows are processed at least once, so work that was done before counts as
 * success.
 * @throws UnknownMessage for a kind that only a newer version knows
 */
export function createCarryOut(options: CarryOutOptions) {
  const { temporal } = options;
  const start = createStartWorkflow(options);
  const signal = (workflowId: string, name: string) =>
    onceAtLeast(temporal.client(), (client) => client.workflow.getHandle(workflowId).signal(name));
  // A workflow that ended meanwhile must be started: "not found" is a failure here, and the row is retried.
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

/**
 * Thrown for a message of an unknown kind. Its row stays in the outbox until a version that knows the kind processes
 * it.
 */
export class UnknownMessage extends Error {
  override readonly name = 'UnknownMessage';

  constructor({ kind }: { kind: string }) {
    super(`this version does not know outbox tasks of the kind ${kind}`);
  }
}

/** Makes a call to Temporal. Returns false if the work was already done. */
async function onceAtLeast(client: Client, call: (client: Client) => Promise<void>): Promise<boolean> {
  try {
    await inTime(client, call);
    return true;
  } catch (error) {
    // The workflow was already started, or has ended and needs no signal.
    const isDone =
      error instanceof WorkflowExecutionAlreadyStartedError || error instanceof WorkflowNotFoundError;
    if (!isDone) throw error;
    return false;
  }
}

/**
 * Limits the duration of a whole call, because the connection applies its deadline to each try and retries without
 * limit. If the call succeeds later, this has the same effect as an earlier call.
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
