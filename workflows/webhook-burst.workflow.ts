import { setCurrentDetails } from '@temporalio/workflow';
import { DELIVERY_WORKFLOW } from '../domain/temporal-names.ts';

export interface BurstInput {
  clinicId: string;
  deliveries: readonly BurstEntry[];
}

export interface BurstEntry {
  deliveryId: string;
  /** `evt_…` */
  eventId: string;
  eventType: string;
  appointmentId: string | null;
  endpointId: string;
  /** Of its one attempt. */
  outcome: string;
}

/**
 * The record of deliveries of one clinic that succeeded at their first attempt, when more came than the start rate allows workflows.
 * Nothing is left to do: its input names each delivery and how it ended.
 */
export async function webhookBurst({ deliveries }: BurstInput): Promise<{ deliveries: number }> {
  const endpoints = new Set(deliveries.map(({ endpointId }) => endpointId)).size;
  setCurrentDetails(
    `${deliveries.length} deliveries to ${endpoints} endpoints, each ended with its first attempt. ` +
      `The input lists them; a delivery with more attempts has a \`${DELIVERY_WORKFLOW}\` of its own.`,
  );
  return { deliveries: deliveries.length };
}
