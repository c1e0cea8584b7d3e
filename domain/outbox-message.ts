import { endpointHealthWorkflowId, noShowWorkflowId, type SettledSignal } from './temporal-names.ts';

/**
 * What a committed change requests from Temporal. Messages contain only opaque IDs and times, because they become
 * workflow payloads. Each contains its clinic, for fair ordering.
 */
export type OutboxMessage =
  | ({ kind: 'startNoShow'; appointmentId: string; clinicId: string; dueAt: string } & Restartable)
  | { kind: 'settleNoShow'; appointmentId: string; clinicId: string; signal: SettledSignal }
  | { kind: 'startDelivery'; deliveryId: string }
  | { kind: 'retryDelivery'; workflowId: string; delivery: DeliveryIds }
  | { kind: 'stopDelivery'; workflowId: string; clinicId: string }
  | { kind: 'endpointFailing'; endpointId: string; clinicId: string; deactivateAt: string | null }
  | { kind: 'endpointCorrected'; endpointId: string; clinicId: string }
  | { kind: 'endpointSwitchedOff'; endpointId: string; clinicId: string; at: string }
  | BurstMessage
  | ({ kind: 'startReplay'; replayId: string; clinicId: string; endpointId: string } & Restartable);

export type MessageOf<K extends OutboxMessage['kind']> = Extract<OutboxMessage, { kind: K }>;

export const OUTBOX_KINDS = [
  'startNoShow',
  'settleNoShow',
  'startDelivery',
  'retryDelivery',
  'stopDelivery',
  'endpointFailing',
  'endpointCorrected',
  'endpointSwitchedOff',
  'startBurst',
  'startReplay',
] as const satisfies OutboxMessage['kind'][];

/** Deliveries of one clinic that share a workflow. Several rows can belong to one burst. */
export interface BurstMessage {
  kind: 'startBurst';
  clinicId: string;
  workflowId: string;
  deliveryIds: string[];
}

/** The input for starting the delivery's workflow if it is missing. */
export interface DeliveryIds {
  deliveryId: string;
  tenantId: string;
  endpointId: string;
  eventType: string;
  appointmentId: string | null;
}

interface Restartable {
  /** Set if the workflow may have ended too early, for example because someone terminated it. */
  isRestart?: true;
}

/**
 * Messages with the same key reach Temporal in order, for example "start the timer" before "checked in". Messages
 * without a key have no order.
 */
export function orderingKey(message: OutboxMessage): string | null {
  switch (message.kind) {
    case 'startNoShow':
    case 'settleNoShow':
      return noShowWorkflowId(message.appointmentId);
    case 'endpointFailing':
    case 'endpointCorrected':
    case 'endpointSwitchedOff':
      return endpointHealthWorkflowId(message.endpointId);
    case 'startBurst':
      return message.workflowId;
    case 'startDelivery':
    case 'retryDelivery':
    case 'stopDelivery':
    case 'startReplay':
      return null;
  }
}
