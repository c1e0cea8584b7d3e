import { presentDelivery, presentDeliveryDetail } from '../api/webhook-deliveries/present.ts';
import { recordAudit } from '../commands/record-audit.ts';
import { retryDeliveryNow } from '../commands/webhooks/retry-delivery-now.ts';
import {
  newestDeliveries,
  withExcerpts,
  type DeliveryWithAttempts,
} from '../db/webhooks/deliveries-with-attempts.ts';
import type { WebhookAttemptRow } from '../db/entities/webhook-attempt.entity.ts';
import { WebhookDeliveryEntity } from '../db/entities/webhook-delivery.entity.ts';
import type { EntityManager } from '../db/connection/open-database.ts';
import { requireTenant } from '../commands/clinic/require-tenant.ts';
import { DELIVERY_STATUSES } from '../domain/webhooks/delivery-status.ts';
import { notFound } from '../domain/service-error.ts';
import { adminCommand } from './admin-command.ts';
import { id, idOf, oneOf, option, wholeNumber } from './options.ts';

const list = adminCommand({
  words: 'delivery list',
  summary: 'Deliveries with their attempts, newest first',
  options: {
    tenant: option(id.optional(), 'id', 'only of this clinic'),
    status: option(oneOf(DELIVERY_STATUSES).optional(), 'status', DELIVERY_STATUSES.join(', ')),
    limit: option(wholeNumber(1, 1000).default(100), 'count', 'how many, 100 unless told'),
  },
  async run({ tenant, status, limit }, { database }) {
    const em = database.em();
    if (tenant) await requireTenant(em, tenant);
    const found = await newestDeliveries(em, { tenantId: tenant, status, limit });
    return { items: found.map(presentDelivery) };
  },
});

const retryNow = adminCommand({
  words: 'delivery retry-now',
  summary: 'Bring the next attempt of an open delivery forward to now',
  options: { delivery: idOf('delivery') },
  async run({ delivery: deliveryId }, { database, context }) {
    const { tenantId } = (await findDelivery(database.em(), deliveryId)).delivery;
    await database.write(async (em) => {
      await retryDeliveryNow(em, { tenantId, deliveryId }, context.now);
      await recordAudit(em, { action: 'delivery.retried', tenantId, subjectId: deliveryId }, context);
    });
    return presentDeliveryDetail(await findDelivery(database.em(), deliveryId));
  },
});

export const deliveryCommands = [list, retryNow];

async function findDelivery(em: EntityManager, id: string): Promise<DeliveryWithAttempts<WebhookAttemptRow>> {
  const delivery = await em.findOne(WebhookDeliveryEntity, { id });
  if (!delivery) throw notFound('delivery', id);
  return withExcerpts(em, delivery);
}
