import type { WebhookDeliveryRow } from '../../../db/entities/webhook-delivery.entity.ts';
import type { EntityManager } from '../../../db/connection/open-database.ts';
import type { CommandContext } from '../../command-context.ts';
import { recordAudit } from '../../record-audit.ts';
import { resendDelivery } from './resend-delivery.ts';
import { retryDeliveryNow } from './retry-delivery-now.ts';

type DeliveryOfClinic = Pick<WebhookDeliveryRow, 'id' | 'tenantId'>;

/** `retryDeliveryNow` by an operator or by support: what they do to a clinic's deliveries is written down. */
export async function retryForClinic(
  em: EntityManager,
  { id: deliveryId, tenantId }: DeliveryOfClinic,
  context: CommandContext,
): Promise<void> {
  await retryDeliveryNow(em, { tenantId, deliveryId }, context.now);
  await recordAudit(em, { action: 'delivery.retried', tenantId, subjectId: deliveryId }, context);
}

/** `resendDelivery` by an operator or by support, written down too. */
export async function resendForClinic(
  em: EntityManager,
  { id: deliveryId, tenantId }: DeliveryOfClinic,
  context: CommandContext,
): Promise<WebhookDeliveryRow> {
  const resent = await resendDelivery(em, { tenantId, deliveryId }, context);
  await recordAudit(em, { action: 'delivery.resent', tenantId, subjectId: resent.id }, context);
  return resent;
}
