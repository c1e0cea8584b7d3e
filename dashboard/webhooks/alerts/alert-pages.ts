import { z } from 'zod';
import { readNotification } from '../../../commands/webhooks/read-notification.ts';
import { listEndpoints } from '../../../db/webhooks/endpoints/list-endpoints.ts';
import { listNotifications } from '../../../db/webhooks/endpoints/notifications.ts';
import { clinicPage, type PageRoute } from '../../serving/page-request.ts';
import { alertListPage, ALERTS } from './alert-list.ts';

const PAGE = 50;

const place = z.guid();

/** The clinic's alerts about its endpoints. */
export function alertPages(): PageRoute[] {
  return [
    clinicPage('GET', ALERTS, 'webhooks', async ({ tenantId, query, view, read }) => {
      const before = place.safeParse(query.get('cursor')).data;
      const found = await read((em) => listNotifications(em, { tenantId, before, limit: PAGE + 1 }));
      const cursor = found.length > PAGE ? (found[PAGE - 1]?.id ?? null) : null;
      const endpoints = await read((em) => listEndpoints(em, tenantId));
      return alertListPage(view, found.slice(0, PAGE), { query, cursor, endpoints });
    }),
    clinicPage(
      'POST',
      `${ALERTS}/:id/read`,
      'webhook_changes',
      async ({ tenantId, id, form, write, context }) => {
        const wanted = { tenantId, notificationId: id };
        await write((em) => readNotification(em, wanted, context.now));
        return { to: form.get('to') ?? ALERTS };
      },
    ),
  ];
}
