import type { ClaimedDelivery } from '../../db/outbox/claim-deliveries.ts';
import type { ClaimedRow } from '../../db/outbox/claim-rows.ts';
import type { DeliveryProgress } from '../../db/webhooks/deliveries/delivery-progress.ts';
import type { DeliveryToAttempt } from '../../db/webhooks/deliveries/delivery-to-attempt.ts';
import type { DeliveryIds } from '../../domain/outbox-message.ts';

/** A row whose delivery has had its first attempt. */
export type AttemptedDelivery = ClaimedDelivery & { delivery: DeliveryToAttempt };

/** What that attempt came to, and what its workflow tells of the delivery: no body and no secrets, for thousands may wait. */
export interface RecordedDelivery extends ClaimedRow {
  delivery: DeliveryIds & { eventId: string; host: string };
  progress: DeliveryProgress;
}

export function recorded(
  { delivery, ...claim }: AttemptedDelivery,
  progress: DeliveryProgress,
): RecordedDelivery {
  const { deliveryId, tenantId, eventId, endpointId, eventType, appointmentId, host } = delivery;
  return {
    ...claim,
    delivery: { deliveryId, tenantId, eventId, endpointId, eventType, appointmentId, host },
    progress,
  };
}
