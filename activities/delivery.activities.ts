import { recordAttempts } from '../commands/webhooks/record-attempts.ts';
import { findDeliveryProgress } from '../db/webhooks/deliveries/delivery-progress.ts';
import { findDeliveryToAttempt } from '../db/webhooks/deliveries/delivery-to-attempt.ts';
import { fromTravelling, madeAttempt, type TravellingOutcome } from '../sending/made-attempt.ts';
import { createDeliveryAttempt, type AttemptDependencies } from './attempt-delivery.ts';
import { reportOn, type DeliveryInQuestion, type DeliveryReport } from '../sending/delivery-report.ts';

export type DeliveryActivities = ReturnType<typeof createDeliveryActivities>;

export function createDeliveryActivities(dependencies: AttemptDependencies) {
  const { database, timings } = dependencies;
  return {
    /** Makes attempt `number`, unless it was made, is not due or the delivery is final; then it only tells how it stands. */
    attemptDelivery: createDeliveryAttempt(dependencies),
    /** Records an attempt that was made while the database was away. */
    async recordAttempt(input: DeliveryInQuestion & { made: TravellingOutcome }): Promise<DeliveryReport> {
      const { clinicId, deliveryId, made } = input;
      const delivery = await findDeliveryToAttempt(database.em(), clinicId, deliveryId);
      if (!delivery) return reportOn(null);
      const { number, outcome } = fromTravelling(made);
      const attempt = madeAttempt(delivery, number, outcome);
      const progress = await recordAttempts(database.em(), [attempt], timings);
      return reportOn(progress.get(deliveryId) ?? null);
    },
    /** Tells how the delivery stands. */
    reviewDelivery: async ({ clinicId, deliveryId }: DeliveryInQuestion): Promise<DeliveryReport> =>
      reportOn(await findDeliveryProgress(database.em(), clinicId, deliveryId)),
  };
}
