import type { Logger } from '../adapters/logs/logger.ts';
import { createDatabaseClock } from '../adapters/timing/database-clock.ts';
import { msSince, type Moment } from '../adapters/timing/moment.ts';
import { endpointHeaders, endpointSecret } from '../domain/encryption/sealed-places.ts';
import { AttemptNotBegun } from '../adapters/webhooks/attempt-failure.ts';
import type { AttemptOutcome, WebhookClient } from '../adapters/webhooks/webhook-client.ts';
import { openBody } from '../db/webhooks/events/sealed-body.ts';
import type { DeliveryToAttempt } from '../db/webhooks/deliveries/delivery-to-attempt.ts';
import type { ClinicCiphers } from '../domain/encryption/clinic-ciphers.ts';
import type { TextCipher } from '../domain/encryption/text-cipher.ts';
import { receivesEvents } from '../domain/webhooks/endpoint-status.ts';
import type { OwnHeaders } from '../domain/webhooks/own-headers.schema.ts';
import { deliveryHeaders } from '../domain/webhooks/webhook-headers.ts';

interface SendDependencies {
  ciphers: ClinicCiphers;
  webhookClient: WebhookClient;
  logger: Logger;
}

/** The outcome of an attempt. */
export type SentOutcome = AttemptOutcome & {
  /** By the database's clock, like all times in rows. */
  startedAt: Date;
  /** The URL to which it was sent; null when the outcome came through Temporal, which never receives URLs. */
  url: string | null;
};

/** Whether this process may still make the attempt. */
export interface RightToSend {
  /** When the delivery was read from the database. */
  askedAt: Moment;
  /** Whether, as far as this process knows, no other worker can have taken the attempt. */
  isOurs: () => boolean;
}

export type SendAttempt = (
  delivery: DeliveryToAttempt,
  number: number,
  right: RightToSend,
) => Promise<SentOutcome>;

/**
 * Signs a delivery and posts it once. The request itself, and what is stored of the response, is in
 * `adapters/webhooks/`. Throws only before anything is sent: for faults in this service, and `AttemptNotBegun` when
 * keys or the connection were available too late, for example because the process was frozen.
 * `commands/webhooks/record-attempts.ts` decides whether another attempt follows.
 */
export function createSendAttempt({ ciphers, webhookClient, logger }: SendDependencies): SendAttempt {
  const databaseClock = createDatabaseClock();
  return async (delivery, number, { askedAt, isOurs }) => {
    const { deliveryId, eventId, eventType, endpointId, tenantId, appointmentId, url } = delivery;
    if (delivery.body === null) throw new Error('the body of the event has been deleted');
    const cipher = await ciphers.of(tenantId);
    const body = openBody(cipher, {
      tenantId,
      id: eventId,
      createdAt: new Date(delivery.eventCreatedAtMs),
      body: delivery.body,
    });
    // The headers contain the start time: docs/webhooks.md#when-deliveries-fail
    const startedAt = databaseClock.told(delivery.readAtMs, askedAt);
    const signed = signedHeaders(delivery, { number, body, signedAt: startedAt }, cipher);
    const headers = { ...ownHeadersOf(delivery, cipher), ...signed };
    if (!stillCounts(askedAt))
      throw new AttemptNotBegun('The keys to decrypt the event were not available in time');
    const answer = await webhookClient.post({ url, headers, body, mayBegin: isOurs });
    const made = { ...answer, startedAt, url };
    const { outcome, errorClass, responseStatus, durationMs } = made;
    const ids = { deliveryId, eventId, eventType, endpointId, tenantId, appointmentId, attempt: number };
    const level = outcome === 'succeeded' ? 'info' : 'warn';
    logger[level]({ ...ids, outcome, errorClass, responseStatus, durationMs }, 'delivery.attempted');
    return made;
  };
}

/** What the clinic adds, for receivers behind a gateway. */
function ownHeadersOf(
  { tenantId, endpointId, headersCiphertext }: DeliveryToAttempt,
  cipher: TextCipher,
): OwnHeaders {
  if (headersCiphertext === null) return {};
  return JSON.parse(cipher.decrypt(headersCiphertext, endpointHeaders(tenantId, endpointId))) as OwnHeaders;
}

function signedHeaders(
  { eventId, eventType, deliveryId, tenantId, endpointId, secretCiphertexts }: DeliveryToAttempt,
  { number: attempt, body, signedAt }: { number: number; body: string; signedAt: Date },
  cipher: TextCipher,
): Record<string, string> {
  const place = endpointSecret(tenantId, endpointId);
  const secrets = secretCiphertexts.map((text) => cipher.decrypt(text, place));
  if (secrets.length === 0) throw new Error('the endpoint has no valid secret to sign with');
  return deliveryHeaders({ secrets, signedAt, body, eventId, eventType, deliveryId, attempt });
}

/**
 * An attempt must begin within this time after its rows were read. So after an endpoint was disabled, deleted or given
 * a new URL, no attempt starts later than this plus the time to connect.
 */
const TRUE_FOR_MS = 600;

/**
 * Whether rows that were read at this moment are recent enough to begin an attempt.
 */
export function stillCounts(askedAt: Moment): boolean {
  return msSince(askedAt) <= TRUE_FOR_MS;
}

/** Nothing is sent to an endpoint that is disabled or deleted, or whose clinic is cancelled. */
export function isEndpointOff(delivery: DeliveryToAttempt): boolean {
  const { endpointStatus, isEndpointDeleted, isClinicCanceled } = delivery;
  return isEndpointDeleted || isClinicCanceled || !receivesEvents(endpointStatus);
}
