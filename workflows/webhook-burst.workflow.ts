import { setCurrentDetails } from '@temporalio/workflow';
import { DELIVERY_WORKFLOW } from '../domain/temporal-names.ts';
import type { DeliveryInQuestion } from '../sending/delivery-report.ts';

export interface BurstInput {
  /** `outcome`: of its one attempt. */
  deliveries: readonly (DeliveryInQuestion & { endpointId: string; eventType: string; outcome: string })[];
}

/**
 * The record of deliveries that succeeded at their first attempt while more came than are worth a workflow each. Nothing
 * is left to do: its input names each delivery and how it ended.
 */
export async function webhookBurst({ deliveries }: BurstInput): Promise<{ deliveries: number }> {
  const endpoints = new Set(deliveries.map(({ endpointId }) => endpointId)).size;
  setCurrentDetails(
    `${deliveries.length} deliveries to ${endpoints} endpoints, each ended with its first attempt. ` +
      `The input lists them; a delivery with more attempts has a \`${DELIVERY_WORKFLOW}\` of its own.`,
  );
  return { deliveries: deliveries.length };
}
