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
  /** The outcome of the delivery's only attempt. */
  outcome: string;
}

/**
 * Records deliveries of one clinic that succeeded at their first attempt, when the start rate does not allow a workflow
 * for each. The workflow only records: its input lists the deliveries and their outcomes.
 */
export async function webhookBurst({ deliveries }: BurstInput): Promise<{ deliveries: number }> {
  const endpoints = new Set(deliveries.map(({ endpointId }) => endpointId)).size;
  setCurrentDetails(
    `${deliveries.length} deliveries to ${endpoints} endpoints, each ended with its first attempt. ` +
      `The input lists them; a delivery with more attempts has a \`${DELIVERY_WORKFLOW}\` of its own.`,
  );
  return { deliveries: deliveries.length };
}
