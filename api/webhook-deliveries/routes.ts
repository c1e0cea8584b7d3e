import { resendDelivery } from '../../commands/webhooks/sending-again/resend-delivery.ts';
import { retryDeliveryNow } from '../../commands/webhooks/sending-again/retry-now.ts';
import { requireFound } from '../../commands/require-found.ts';
import { withExcerpts, findDelivery, listDeliveries } from '../../db/webhooks/deliveries/list-deliveries.ts';
import { answer, implement } from '../contract/implement.ts';
import { presentPage } from '../contract/presented.ts';
import { deliveryCursor, webhookDeliveryContracts } from './contract.ts';
import { presentDelivery, presentDeliveryDetail } from './present.ts';

export const webhookDeliveryRoutes = implement(webhookDeliveryContracts, () => ({
  listWebhookDeliveries: async ({ query: { cursor, limit, ...filters }, caller, read }) => {
    const wanted = { ...filters, tenantId: caller.tenantId, before: cursor, limit: limit + 1 };
    const items = (await read((em) => listDeliveries(em, wanted))).map(presentDelivery);
    return answer(200, presentPage(items, limit, deliveryCursor));
  },
  getWebhookDelivery: async ({ path, caller, read }) => {
    const found = await read((em) => findDelivery(em, caller.tenantId, path.id));
    return answer(200, presentDeliveryDetail(requireFound(found, 'delivery', path.id), caller.scopes));
  },
  resendWebhookDelivery: async ({ path, caller, context, write }) => {
    const input = { tenantId: caller.tenantId, deliveryId: path.id };
    const resent = await write(async (em) => withExcerpts(em, await resendDelivery(em, input, context)));
    return answer(202, presentDelivery(resent));
  },
  retryWebhookDeliveryNow: async ({ path, caller, write }) => {
    const input = { tenantId: caller.tenantId, deliveryId: path.id };
    return answer(202, { deliveries: await write((em) => retryDeliveryNow(em, input)) });
  },
}));
