import { noShowWorkflowId, type SettledSignal } from './temporal-names.ts';

/** What a committed change asks of Temporal. Opaque ids and times only: these become workflow payloads. */
export type OutboxMessage =
  | { kind: 'startNoShow'; appointmentId: string; clinicId: string; dueAt: string }
  | { kind: 'settleNoShow'; appointmentId: string; signal: SettledSignal }
  | {
      kind: 'startDelivery';
      deliveryId: string;
      workflowId: string;
      clinicId: string;
      endpointId: string;
      eventType: string;
      appointmentId: string | null;
    }
  | { kind: 'retryDelivery'; workflowId: string }
  | { kind: 'stopDelivery'; workflowId: string };

/**
 * Messages with one key reach Temporal in the order they were written; those without have no order.
 * "Start the timer" must precede "checked in".
 */
export function orderingKey(message: OutboxMessage): string | null {
  switch (message.kind) {
    case 'startNoShow':
    case 'settleNoShow':
      return noShowWorkflowId(message.appointmentId);
    case 'startDelivery':
    case 'retryDelivery':
    case 'stopDelivery':
      return null;
  }
}
