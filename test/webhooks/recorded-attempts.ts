import { recordAttempts } from '../../commands/webhooks/record-attempts.ts';
import { recordEvent } from '../../commands/webhooks/record-event.ts';
import {
  WebhookDeliveryEntity,
  type WebhookDeliveryRow,
} from '../../db/entities/webhooks/webhook-delivery.entity.ts';
import type { Database } from '../../db/connection/open-database.ts';
import type { ErrorClass } from '../../domain/webhooks/attempt-error.ts';
import type { TlsFault } from '../../domain/webhooks/tls-fault.ts';
import { asOperator } from '../support/clinic.ts';

/** Something happens in the clinic; returns the delivery of its event to the endpoint. */
export async function anEventFor(
  database: Database,
  place: { tenantId: string; endpointId: string },
  now = new Date(),
): Promise<WebhookDeliveryRow> {
  const { tenantId, endpointId } = place;
  const event = {
    tenant: { id: tenantId, name: 'Clínica' },
    type: 'nps.submitted' as const,
    data: { score: 9 },
  };
  const eventId = await database.write((em) => recordEvent(em, event, asOperator(now)));
  return database.em().findOneOrFail(WebhookDeliveryEntity, { eventId, endpointId });
}

/** Writes down that an attempt was made, as the activity does after it. */
export async function attempted(
  database: Database,
  delivery: WebhookDeliveryRow,
  attempt: {
    number: number;
    status: number | null;
    /** Where the delivery's endpoint was, by default. */
    url?: string;
    startedAt?: Date;
    durationMs?: number;
    errorClass?: ErrorClass;
    tlsFault?: TlsFault;
    responseExcerpt?: string;
  },
) {
  const { id: deliveryId, tenantId, endpointId, eventType } = delivery;
  const { number, status, url = delivery.url, startedAt = new Date(), durationMs = 20 } = attempt;
  const { errorClass = 'http_5xx', tlsFault = null } = attempt;
  const succeeded = status !== null && status < 300;
  const made = {
    tenantId,
    deliveryId,
    endpointId,
    eventType,
    number,
    url,
    startedAt,
    durationMs,
    outcome: succeeded ? ('succeeded' as const) : ('failed' as const),
    errorClass: succeeded ? null : errorClass,
    responseStatus: status,
    responseExcerpt: attempt.responseExcerpt ?? '',
    tlsFault,
  };
  const progress = await database.write((em) => recordAttempts(em, [made]));
  const recorded = progress.get(deliveryId);
  if (!recorded) throw new Error('the attempt was not recorded');
  return recorded;
}

/** An event whose last attempt has failed. */
export async function anEventUsedUp(
  database: Database,
  place: { tenantId: string; endpointId: string },
  at = new Date(),
): Promise<WebhookDeliveryRow> {
  const delivery = await anEventFor(database, place, at);
  await attempted(database, delivery, { number: 6, status: 500, startedAt: at });
  return delivery;
}
