import type { WorkflowStartOptions } from '@temporalio/client';
import type { SearchAttributePair } from '@temporalio/common';
import type { OutboxMessage } from '../../domain/outbox-message.ts';
import {
  CLINIC_QUEUE,
  DELIVERY_WORKFLOW,
  NO_SHOW_WORKFLOW,
  noShowWorkflowId,
  WEBHOOK_DELIVERY_QUEUE,
} from '../../domain/temporal-names.ts';
import type { NoShowInput } from '../../workflows/appointment-no-show.workflow.ts';
import {
  APPOINTMENT_ID,
  CLINIC_ID,
  ENDPOINT_ID,
  EVENT_TYPE,
  NEXT_ATTEMPT_AT,
} from '../../workflows/search-attribute-keys.ts';
import type { DeliveryInput } from '../../workflows/webhook-delivery.workflow.ts';

export type WorkflowStart = WorkflowStartOptions & { workflowType: string };

/**
 * A row may be carried out twice: then the workflow runs already, or has ended and must not run again.
 * Eager: the first task comes back with the answer to the start, which saves two trips.
 */
const ONCE = {
  workflowIdReusePolicy: 'REJECT_DUPLICATE',
  workflowIdConflictPolicy: 'USE_EXISTING',
  requestEagerStart: true,
} as const;

/** Unless it runs, it is started, whatever became of an earlier run: reconciliation found that the rows need it. */
const AGAIN = { ...ONCE, workflowIdReusePolicy: 'ALLOW_DUPLICATE' } as const;

export function startPolicy({ isRestart = false }: { isRestart?: boolean }): typeof ONCE | typeof AGAIN {
  return isRestart ? AGAIN : ONCE;
}

type Message<K extends OutboxMessage['kind']> = Extract<OutboxMessage, { kind: K }>;

export function noShowStart(message: Message<'startNoShow'>): WorkflowStart {
  const { appointmentId, clinicId, dueAt } = message;
  const input: NoShowInput = { appointmentId, clinicId, dueAt };
  return {
    ...startPolicy(message),
    workflowType: NO_SHOW_WORKFLOW,
    workflowId: noShowWorkflowId(appointmentId),
    taskQueue: CLINIC_QUEUE,
    args: [input],
    typedSearchAttributes: [
      { key: CLINIC_ID, value: clinicId },
      { key: APPOINTMENT_ID, value: appointmentId },
      { key: NEXT_ATTEMPT_AT, value: new Date(dueAt) },
    ],
    staticSummary: `No-show at ${dueAt} unless checked in`,
    staticDetails: details({ Appointment: appointmentId, Clinic: clinicId }),
  };
}

export function deliveryStart(message: Message<'startDelivery'>): WorkflowStart {
  const { deliveryId, workflowId, clinicId, endpointId, eventType, appointmentId } = message;
  const input: DeliveryInput = { deliveryId, clinicId };
  const ofAppointment: SearchAttributePair[] = appointmentId
    ? [{ key: APPOINTMENT_ID, value: appointmentId }]
    : [];
  return {
    ...startPolicy(message),
    workflowType: DELIVERY_WORKFLOW,
    workflowId,
    taskQueue: WEBHOOK_DELIVERY_QUEUE,
    args: [input],
    typedSearchAttributes: [
      { key: CLINIC_ID, value: clinicId },
      { key: ENDPOINT_ID, value: endpointId },
      { key: EVENT_TYPE, value: eventType },
      ...ofAppointment,
    ],
    staticSummary: `${eventType} to endpoint ${endpointId}`,
    staticDetails: details({ Delivery: deliveryId, Endpoint: endpointId, Clinic: clinicId }),
  };
}

function details(facts: Record<string, string>): string {
  return Object.entries(facts)
    .map(([name, id]) => `- ${name} \`${id}\``)
    .join('\n');
}
