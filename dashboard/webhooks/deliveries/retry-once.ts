import { lockRow } from '../../../db/connection/locks/lock-row.ts';
import type { EntityManager } from '../../../db/connection/open-database.ts';
import {
  WebhookDeliveryEntity,
  type WebhookDeliveryRow,
} from '../../../db/entities/webhook-delivery.entity.ts';
import type { Html } from '../../../pages/html.ts';
import { isMadeFrom, versionInput } from '../../edits/version.ts';
import type { PageRequest } from '../../serving/page-request.ts';

/** The field of a form that brings the next attempt forward. */
export function waitInput(delivery: WebhookDeliveryRow): Html {
  return versionInput(waitOf(delivery));
}

/** Does it unless the delivery no longer waits for what the page showed: a form that is sent twice hurries one attempt. */
export function retryOnce(
  { form, write }: Pick<PageRequest, 'form' | 'write'>,
  place: { tenantId: string; deliveryId: string },
  retry: (em: EntityManager) => Promise<unknown>,
): Promise<void> {
  const { tenantId, deliveryId: id } = place;
  return write(async (em) => {
    const delivery = await lockRow(em, WebhookDeliveryEntity, { tenantId, id });
    if (!delivery || isMadeFrom(form, waitOf(delivery))) await retry(em);
  });
}

/** Which attempt comes next, and when. */
function waitOf({ attemptCount, nextAttemptAt }: WebhookDeliveryRow): string {
  return `${attemptCount} ${nextAttemptAt?.getTime() ?? ''}`;
}
