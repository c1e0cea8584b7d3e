import { findDeliveryProgress } from '../db/webhooks/delivery-progress.ts';
import { createDeliveryAttempt, type AttemptDependencies } from './attempt-delivery.ts';
import {
  reportOn,
  type AttemptReport,
  type DeliveryInQuestion,
  type DeliveryReport,
} from './delivery-report.ts';

export interface DeliveryActivities {
  /** Makes attempt `number`, unless it was made or the delivery is final; then it only tells how it stands. Never waits. */
  attemptDelivery(input: DeliveryInQuestion & { number: number }): Promise<AttemptReport>;
  /** Tells how the delivery stands. */
  reviewDelivery(input: DeliveryInQuestion): Promise<DeliveryReport>;
}

export function createDeliveryActivities(dependencies: AttemptDependencies): DeliveryActivities {
  const { database } = dependencies;
  return {
    attemptDelivery: createDeliveryAttempt(dependencies),
    reviewDelivery: async ({ clinicId, deliveryId }) =>
      reportOn(await findDeliveryProgress(database.em(), clinicId, deliveryId)),
  };
}
