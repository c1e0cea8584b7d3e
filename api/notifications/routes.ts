import { readNotification } from '../../commands/webhooks/read-notification.ts';
import { listNotifications } from '../../db/webhooks/endpoints/notifications.ts';
import { answer, implement } from '../contract/implement.ts';
import { presentPage } from '../contract/presented.ts';
import { notificationContracts, notificationCursor } from './contract.ts';
import { presentNotification } from './present.ts';

export const notificationRoutes = implement(notificationContracts, () => ({
  listNotifications: async ({ query: { cursor, limit, ...created }, caller, read }) => {
    const wanted = { ...created, tenantId: caller.tenantId, before: cursor, limit: limit + 1 };
    const items = (await read((em) => listNotifications(em, wanted))).map(presentNotification);
    return answer(200, presentPage(items, limit, notificationCursor));
  },
  readNotification: async ({ path, caller, context, write }) => {
    const wanted = { tenantId: caller.tenantId, notificationId: path.id };
    const read = await write((em) => readNotification(em, wanted, context.now));
    return answer(200, presentNotification(read));
  },
}));
