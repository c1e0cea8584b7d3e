import type { Logger } from '../adapters/logger.ts';
import type { SecretCipher } from '../adapters/secret-cipher.ts';
import { openEventBody } from '../adapters/sealed-event-body.ts';
import type { AttemptOutcome, WebhookClient } from '../adapters/webhook/webhook-client.ts';
import { recordAttempt } from '../commands/webhooks/record-attempt.ts';
import { skipDelivery } from '../db/webhooks/delivery-attempt-rows.ts';
import { findDeliveryProgress } from '../db/webhooks/delivery-progress.ts';
import { findDeliveryToAttempt, type DeliveryToAttempt } from '../db/webhooks/delivery-to-attempt.ts';
import { releasePlace } from '../db/outbox/first-attempts.ts';
import type { Database } from '../db/connection/open-database.ts';
import { ATTEMPTS_AT_ONCE } from '../domain/webhooks/delivery-share.ts';
import { isFinal, receivesEvents } from '../domain/webhooks/delivery-status.ts';
import type { Timings } from '../domain/timings.ts';
import { deliveryHeaders } from '../domain/webhooks/webhook-signature.ts';
import { createAttemptsInFlight } from './attempts-in-flight.ts';
import {
  reportOn,
  type AttemptReport,
  type DeliveryInQuestion,
  type DeliveryReport,
} from './delivery-report.ts';
import { unrecordedOutcome, untilRecorded } from './until-recorded.ts';

export interface AttemptDependencies {
  database: Database;
  cipher: SecretCipher;
  webhookClient: WebhookClient;
  timings: Timings;
  logger: Logger;
  clock: () => Date;
  /** Counts attempts. */
  onAttempt: (outcome: AttemptOutcome) => void;
  /** An attempt has ended that first attempts in the outbox may have waited for. */
  onPlaceFree: () => void;
}

type Attempt = DeliveryInQuestion & { number: number };

/**
 * One numbered attempt, made once: what the rows already know is not sent again, and what the receiver answered is
 * written down before anything else. One window remains: a process that is killed between the answer and the row sends
 * the same attempt once more.
 */
export function createDeliveryAttempt(dependencies: AttemptDependencies) {
  const { database } = dependencies;
  const inFlight = createAttemptsInFlight(ATTEMPTS_AT_ONCE);
  return async ({ number, ...input }: Attempt): Promise<AttemptReport> => {
    const { clinicId, deliveryId } = input;
    const delivery = await findDeliveryToAttempt(database.em(), clinicId, deliveryId);
    if (!delivery || delivery.progress.attemptCount >= number) {
      await leavePlace(dependencies, input);
      return reportOn(delivery?.progress ?? null);
    }
    const attempt = { ...input, number: delivery.progress.attemptCount + 1 };
    const left = unrecordedOutcome(attempt.number);
    if (left) return record(dependencies, attempt, delivery, left);
    if (isFinal(delivery.progress.status) || isOff(delivery)) return skip(dependencies, input);
    const end = inFlight.begin({ clinicId, endpointId: delivery.endpointId });
    if (!end) return { status: 'deferred', attempts: delivery.progress.attemptCount };
    const outcome = await send(dependencies, attempt, delivery).finally(end);
    return record(dependencies, attempt, delivery, outcome);
  };
}

function isOff({ endpointStatus, isEndpointDeleted }: DeliveryToAttempt): boolean {
  return isEndpointDeleted || !receivesEvents(endpointStatus);
}

/** A delivery that is final already stays as it is. */
async function skip(dependencies: AttemptDependencies, input: DeliveryInQuestion): Promise<DeliveryReport> {
  const { database } = dependencies;
  const { clinicId, deliveryId } = input;
  await skipDelivery(database.em(), clinicId, deliveryId);
  await leavePlace(dependencies, input);
  return reportOn(await findDeliveryProgress(database.em(), clinicId, deliveryId));
}

/** No first attempt is made after all: of a delivery that was started again, for instance, and waits for a retry. */
async function leavePlace(
  { database, onPlaceFree }: AttemptDependencies,
  input: DeliveryInQuestion,
): Promise<void> {
  await releasePlace(database.em(), input);
  onPlaceFree();
}

async function send(
  { cipher, webhookClient, clock, logger, onAttempt }: AttemptDependencies,
  { deliveryId, clinicId, number }: Attempt,
  delivery: DeliveryToAttempt,
): Promise<AttemptOutcome> {
  const { eventId, eventType, endpointId, url } = delivery;
  const body = openEventBody(cipher, eventId, delivery.body);
  const secrets = delivery.secretCiphertexts.map((text) => cipher.decrypt(text, endpointId));
  if (secrets.length === 0) throw new Error('the endpoint has no valid secret to sign with');
  const signedAt = clock();
  const headers = deliveryHeaders({
    secrets,
    signedAt,
    body,
    eventId,
    eventType,
    deliveryId,
    attempt: number,
  });
  const outcome = await webhookClient.post({ url, headers, body });
  const { errorClass, responseStatus, durationMs } = outcome;
  const ids = { deliveryId, eventId, eventType, endpointId, tenantId: clinicId, attempt: number };
  logger.info(
    { ...ids, outcome: outcome.outcome, errorClass, responseStatus, durationMs },
    'delivery.attempted',
  );
  onAttempt(outcome);
  return outcome;
}

async function record(
  { database, timings, logger, onPlaceFree }: AttemptDependencies,
  { clinicId, deliveryId, number }: Attempt,
  { eventType }: DeliveryToAttempt,
  outcome: AttemptOutcome,
): Promise<DeliveryReport> {
  const attempt = { tenantId: clinicId, deliveryId, number, eventType, timings, ...outcome };
  const progress = await untilRecorded({ number, outcome, logger: logger.child({ deliveryId }) }, () =>
    recordAttempt(database.em(), attempt),
  );
  if (progress.othersWait) onPlaceFree();
  return reportOn(progress);
}
