import { recordAttempts } from '../commands/webhooks/record-attempts.ts';
import { findDeliveryProgress } from '../db/webhooks/deliveries/delivery-progress.ts';
import { findDeliveryToAttempt } from '../db/webhooks/deliveries/delivery-to-attempt.ts';
import { fromTravelling, madeAttempt, type TravellingOutcome } from '../sending/made-attempt.ts';
import { createDeliveryAttempt, type AttemptDependencies } from './attempt-delivery.ts';
import {
  reportOn,
  type AttemptInQuestion,
  type AttemptReport,
  type DeliveryInQuestion,
  type DeliveryReport,
} from '../sending/delivery-report.ts';

export interface DeliveryActivities {
  /** Makes attempt `number`, unless it was made, is not due or the delivery is final; then it only tells how it stands. */
  attemptDelivery(input: AttemptInQuestion): Promise<AttemptReport>;
  /** Records an attempt that was made while the database was away. */
  recordAttempt(input: DeliveryInQuestion & { made: TravellingOutcome }): Promise<DeliveryReport>;
  /** Tells how the delivery stands. */
  reviewDelivery(input: DeliveryInQuestion): Promise<DeliveryReport>;
}

export function createDeliveryActivities(dependencies: AttemptDependencies): DeliveryActivities {
  const { database, timings } = dependencies;
  return {
    attemptDelivery: createDeliveryAttempt(dependencies),
    async recordAttempt({ clinicId, deliveryId, made }) {
      const delivery = await findDeliveryToAttempt(database.em(), clinicId, deliveryId);
      if (!delivery) return reportOn(null);
      const { number, outcome } = fromTravelling(made);
      const attempt = madeAttempt(delivery, number, outcome);
      const progress = await recordAttempts(database.em(), [attempt], timings);
      return reportOn(progress.get(deliveryId) ?? null);
    },
    reviewDelivery: async ({ clinicId, deliveryId }) =>
      reportOn(await findDeliveryProgress(database.em(), clinicId, deliveryId)),
  };
}
