import { WebhookDeliveryEntity } from '../../../db/entities/webhooks/webhook-delivery.entity.ts';
import { supportedAppointment } from './appointment-forms.ts';
import { usedUp, waiting } from './integration-forms.ts';
import type { FormRow } from './form-rows.ts';

const DELIVERIES = '/support/deliveries';

export const SUPPORT_FORMS: Record<string, FormRow> = {
  '/support': {
    by: 'sofia',
    begin: async () => ({ page: '/support', action: '/support' }),
    fill: (page, nr) => page.locator('input[name="asked"]').fill(`Nothing ${nr}`),
    isQuestion: true,
  },
  '/support/appointments/:id/patient': {
    by: 'sofia',
    begin: supportedAppointment,
    isQuestion: true,
  },
  '/support/given-up': {
    by: 'sofia',
    async begin(dashboard) {
      const em = dashboard.database.em();
      await em.nativeUpdate(WebhookDeliveryEntity, { status: 'failed' }, { status: 'succeeded' });
      await usedUp(dashboard);
      return { page: '/support/given-up', action: '/support/given-up' };
    },
  },
  '/support/endpoints/:id/retry': {
    by: 'sofia',
    async begin(dashboard) {
      const { endpointId, deliveryId: id } = await waiting(dashboard);
      const createdAt = new Date(Date.now() - 3_600_000);
      await dashboard.database.em().nativeUpdate(WebhookDeliveryEntity, { id }, { createdAt });
      return { page: '/support/stuck', action: `/support/endpoints/${endpointId}/retry` };
    },
  },
  [`${DELIVERIES}/:id/retry`]: {
    by: 'sofia',
    async begin(dashboard) {
      const page = `${DELIVERIES}/${(await waiting(dashboard)).deliveryId}`;
      return { page, action: `${page}/retry` };
    },
  },
  [`${DELIVERIES}/:id/resend`]: {
    by: 'sofia',
    async begin(dashboard) {
      const page = `${DELIVERIES}/${(await usedUp(dashboard)).deliveryId}`;
      return { page, action: `${page}/resend` };
    },
  },
};
