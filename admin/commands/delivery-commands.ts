import { presentDelivery, presentDeliveryDetail } from '../../api/webhook-deliveries/present.ts';
import { requireTenant } from '../../commands/clinic/lock-tenant.ts';
import { resendForClinic, retryForClinic } from '../../commands/webhooks/sending-again/resend-delivery.ts';
import { MAX_RETRIED_AT_ONCE, retryEndpointNow } from '../../commands/webhooks/sending-again/retry-now.ts';
import { requireFound } from '../../commands/require-found.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import {
  WebhookDeliveryEntity,
  type WebhookDeliveryRow,
} from '../../db/entities/webhooks/webhook-delivery.entity.ts';
import {
  withExcerpts,
  type DeliveryWithAttempts,
  listDeliveries,
} from '../../db/webhooks/deliveries/list-deliveries.ts';
import { DELIVERY_STATUSES } from '../../domain/webhooks/delivery-status.ts';
import { ERROR_CLASSES } from '../../domain/webhooks/attempt-error.ts';
import { adminCommand, type CommandDependencies } from '../admin-command.ts';
import { UsageError } from '../failures.ts';
import { id, idOf, instant, oneOf, option, text, wholeNumber } from '../options.ts';

const list = adminCommand({
  words: 'delivery list',
  summary: 'List deliveries with their attempts, newest first',
  columns: ['id', 'status', 'eventType', 'attemptCount', 'nextAttemptAt', 'endpointUrl'],
  options: {
    tenant: option(id.optional(), 'id', 'only of this clinic'),
    endpoint: option(id.optional(), 'id', 'only deliveries to this endpoint'),
    appointment: option(id.optional(), 'id', 'only deliveries of events about this appointment'),
    event: option(text(100).optional(), 'id', 'only deliveries of this event'),
    status: option(oneOf(DELIVERY_STATUSES).optional(), 'status', DELIVERY_STATUSES.join(', ')),
    errorClass: option(
      oneOf(ERROR_CLASSES).optional(),
      'class',
      `only with this last error: ${ERROR_CLASSES.join(', ')}`,
    ),
    since: option(instant.optional(), 'time', 'only created at this time or later'),
    until: option(instant.optional(), 'time', 'only created before this time'),
    limit: option(wholeNumber(1, 1000).default(100), 'count', 'how many, by default 100'),
  },
  async run({ tenant, endpoint, appointment, event, ...rest }, { database }) {
    const em = database.em();
    if (tenant) await requireTenant(em, tenant);
    const wanted = {
      ...rest,
      tenantId: tenant,
      endpointId: endpoint,
      appointmentId: appointment,
      eventId: event,
    };
    return {
      items: (await listDeliveries(em, wanted)).map((found) => ofClinic(found, presentDelivery(found))),
    };
  },
});

const show = adminCommand({
  words: 'delivery show',
  summary: 'Show a delivery with its attempts and responses',
  options: { delivery: idOf('delivery') },
  run: ({ delivery }, { database }) => showDelivery(database.em(), delivery),
});

const resend = adminCommand({
  words: 'delivery resend',
  summary: 'Resend a delivery that has ended, as a new delivery',
  options: { delivery: idOf('delivery') },
  async run({ delivery: deliveryId }, { database, context }) {
    const delivery = await findDelivery(database.em(), deliveryId);
    const sent = await database.write((em) => resendForClinic(em, delivery, context));
    return showDelivery(database.em(), sent.id);
  },
});

const retryNow = adminCommand({
  words: 'delivery retry-now',
  summary: 'Retry one delivery, or all waiting deliveries to an endpoint, now',
  options: {
    delivery: option(id.optional(), 'id', 'ID of the delivery'),
    endpoint: option(id.optional(), 'id', 'ID of an endpoint that works again'),
  },
  check({ delivery, endpoint }) {
    if ((delivery === undefined) === (endpoint === undefined)) {
      throw new UsageError('specify either --delivery or --endpoint, not both');
    }
  },
  async run({ delivery, endpoint = '' }, dependencies): Promise<object> {
    return delivery === undefined ? retryAll(endpoint, dependencies) : retryOne(delivery, dependencies);
  },
});

export const deliveryCommands = [list, show, resend, retryNow];

async function retryOne(deliveryId: string, { database, context }: CommandDependencies) {
  const delivery = await findDelivery(database.em(), deliveryId);
  await database.write((em) => retryForClinic(em, delivery, context));
  return showDelivery(database.em(), deliveryId);
}

/** Retries all deliveries of an endpoint now. The first are attempted while the next are read. */
async function retryAll(endpointId: string, { database, context }: CommandDependencies) {
  const total = { deliveries: 0 };
  for (;;) {
    const wanted = { tenantId: null, endpointId };
    const { deliveries } = await database.write((em) => retryEndpointNow(em, wanted, context));
    total.deliveries += deliveries;
    if (deliveries < MAX_RETRIED_AT_ONCE) return total;
  }
}

async function findDelivery(em: EntityManager, deliveryId: string): Promise<WebhookDeliveryRow> {
  return requireFound(await em.findOne(WebhookDeliveryEntity, { id: deliveryId }), 'delivery', deliveryId);
}

async function showDelivery(em: EntityManager, deliveryId: string) {
  const found = await withExcerpts(em, await findDelivery(em, deliveryId));
  return ofClinic(found, presentDeliveryDetail(found, null));
}

/** Adds the clinic to what is shown, because an operator works with many clinics. */
function ofClinic<Shown extends { id: string }>(
  { delivery }: DeliveryWithAttempts,
  { id: shown, ...rest }: Shown,
) {
  return { id: shown, tenantId: delivery.tenantId, ...rest };
}
