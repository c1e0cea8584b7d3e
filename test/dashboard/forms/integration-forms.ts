import { createApiKey } from '../../../commands/clinic/create-api-key.ts';
import { revokeApiKey } from '../../../commands/clinic/change-api-key.ts';
import { createEndpoint, updateEndpoint } from '../../../commands/webhooks/save-endpoint.ts';
import { WebhookDeliveryEntity } from '../../../db/entities/webhooks/webhook-delivery.entity.ts';
import {
  WebhookEndpointEntity,
  type WebhookEndpointRow,
} from '../../../db/entities/webhooks/webhook-endpoint.entity.ts';
import { asOperator } from '../../support/clinic.ts';
import type { TestDashboard } from '../../support/pages/dashboard-server.ts';
import { anEventFor, anEventUsedUp, attempted } from '../../webhooks/recorded-attempts.ts';
import { idIn, type FormAt, type FormRow } from './form-rows.ts';

const KEYS = '/integrations/keys';
const ENDPOINTS = '/integrations/endpoints';
const DELIVERIES = '/integrations/deliveries';

async function aKey({ database, clinic: { tenantId } }: TestDashboard): Promise<string> {
  const input = { tenantId, name: 'PMS', scopes: [], expiresAt: null, mode: 'test' as const };
  const { row } = await database.write((em) => createApiKey(em, input, asOperator()));
  return row.id;
}

function ofKey(name: string): FormRow {
  return {
    by: 'ana',
    async begin(dashboard) {
      const page = `${KEYS}/${await aKey(dashboard)}`;
      return { page, action: `${page}/${name}` };
    },
    theirs: ({ database, clinic: { tenantId } }, at) =>
      database.write((em) => revokeApiKey(em, { tenantId, keyId: idIn(at) }, asOperator())),
  };
}

let endpoints = 0;

/** The only one that the clinic has; `state` says what has become of it. */
export async function anEndpointAlone(
  { database, clinic: { tenantId } }: TestDashboard,
  state: Partial<WebhookEndpointRow> = {},
): Promise<{ tenantId: string; endpointId: string }> {
  const em = database.em();
  await em.nativeUpdate(WebhookEndpointEntity, { tenantId, deletedAt: null }, { deletedAt: new Date() });
  endpoints += 1;
  const input = { tenantId, url: `https://pms.example.com/${endpoints}`, events: ['*'], description: null };
  const { endpoint } = await database.write((manager) => createEndpoint(manager, input, asOperator()));
  if (Object.keys(state).length > 0) await em.nativeUpdate(WebhookEndpointEntity, { id: endpoint.id }, state);
  return { tenantId, endpointId: endpoint.id };
}

type Place = Awaited<ReturnType<typeof anEndpointAlone>>;

const describeAnew = ({ database, clinic: { tenantId } }: TestDashboard, at: FormAt) =>
  database.write((em) =>
    updateEndpoint(em, { tenantId, endpointId: idIn(at), fields: { description: 'Theirs' } }, asOperator()),
  );

/** @param make what it needs to be shown */
function ofEndpoint(
  name: string,
  row: Partial<FormRow> = {},
  make: (dashboard: TestDashboard) => Promise<Place> = anEndpointAlone,
): FormRow {
  return {
    by: 'ana',
    async begin(dashboard) {
      const page = `${ENDPOINTS}/${(await make(dashboard)).endpointId}`;
      return { page, action: `${page}/${name}` };
    },
    theirs: describeAnew,
    ...row,
  };
}

/** One that has missed an event, and one for which another event waits. */
async function missing(dashboard: TestDashboard): Promise<Place> {
  const place = await anEndpointAlone(dashboard);
  await anEventUsedUp(dashboard.database, place);
  return place;
}

export async function waiting(dashboard: TestDashboard): Promise<Place & { deliveryId: string }> {
  const place = await anEndpointAlone(dashboard);
  const delivery = await anEventFor(dashboard.database, place);
  await attempted(dashboard.database, delivery, { number: 1, status: 503 });
  // However far the clock of the test goes.
  const nextAttemptAt = new Date(Date.now() + 30 * 86_400_000);
  await dashboard.database.em().nativeUpdate(WebhookDeliveryEntity, { id: delivery.id }, { nextAttemptAt });
  return { ...place, deliveryId: delivery.id };
}

export async function usedUp(dashboard: TestDashboard): Promise<Place & { deliveryId: string }> {
  const place = await anEndpointAlone(dashboard);
  const { id: deliveryId } = await anEventUsedUp(dashboard.database, place);
  return { ...place, deliveryId };
}

function ofDelivery(
  name: string,
  make: (dashboard: TestDashboard) => Promise<{ deliveryId: string }>,
  row: Partial<FormRow> = {},
): FormRow {
  return {
    by: 'ana',
    async begin(dashboard) {
      const page = `${DELIVERIES}/${(await make(dashboard)).deliveryId}`;
      return { page, action: `${page}/${name}` };
    },
    ...row,
  };
}

export const INTEGRATION_FORMS: Record<string, FormRow> = {
  [`${KEYS}/new`]: {
    by: 'ana',
    begin: async () => ({ page: `${KEYS}/new`, action: `${KEYS}/new` }),
    isAskedAgain: true,
    fill: (page, nr) => page.locator('input[name="name"]').fill(`PMS ${nr}`),
  },
  [`${KEYS}/:id/roll`]: ofKey('roll'),
  [`${KEYS}/:id/revoke`]: ofKey('revoke'),
  [`${ENDPOINTS}/new`]: {
    by: 'ana',
    async begin(dashboard) {
      await anEndpointAlone(dashboard);
      return { page: `${ENDPOINTS}/new`, action: `${ENDPOINTS}/new` };
    },
    isAskedAgain: true,
    fill: (page, nr) => page.locator('input[name="url"]').fill(`https://new.example.com/${nr}`),
    async theirs({ database, clinic: { tenantId } }, _at, page) {
      const url = await page.locator('input[name="url"]').inputValue();
      const input = { tenantId, url, events: ['*'], description: null };
      await database.write((em) => createEndpoint(em, input, asOperator()));
    },
    // What was said of the first one does not hold for the second.
    choosesOtherwise: async (page) => {
      await page.keyboard.press('Tab');
      await page.locator('input[name="url"]').fill('https://10.0.0.1/');
    },
  },
  [`${ENDPOINTS}/:id/edit`]: {
    ...ofEndpoint('edit', { isAskedAgain: true }),
    async begin(dashboard) {
      const page = `${ENDPOINTS}/${(await anEndpointAlone(dashboard)).endpointId}/edit`;
      return { page, action: page };
    },
    fill: (page, nr) => page.locator('input[name="description"]').fill(`PMS ${nr}`),
  },
  [`${ENDPOINTS}/:id/enable`]: ofEndpoint('enable', {}, (dashboard) =>
    anEndpointAlone(dashboard, { status: 'disabled' }),
  ),
  [`${ENDPOINTS}/:id/disable`]: ofEndpoint('disable'),
  [`${ENDPOINTS}/:id/headers`]: ofEndpoint('headers', {
    fill: (page, nr) => page.locator('textarea[name="headers"]').fill(`X-Gateway-Key: ${nr}`),
  }),
  [`${ENDPOINTS}/:id/pause`]: ofEndpoint('pause'),
  [`${ENDPOINTS}/:id/resume`]: ofEndpoint('resume', {}, (dashboard) =>
    // However far the clock of the test goes.
    anEndpointAlone(dashboard, { pausedUntil: new Date(Date.now() + 30 * 86_400_000) }),
  ),
  [`${ENDPOINTS}/:id/replay`]: ofEndpoint('replay', {}, missing),
  [`${ENDPOINTS}/:id/retry`]: ofEndpoint('retry', {}, waiting),
  [`${ENDPOINTS}/:id/test`]: ofEndpoint('test'),
  [`${ENDPOINTS}/:id/rotate`]: ofEndpoint('rotate'),
  [`${ENDPOINTS}/:id/delete`]: ofEndpoint('delete', {
    fill: (page) => page.locator('input[name="sure"]').check(),
  }),
  [`${DELIVERIES}/:id/retry`]: ofDelivery('retry', waiting),
  [`${DELIVERIES}/:id/resend`]: ofDelivery('resend', usedUp),
  [`${DELIVERIES}/resend`]: {
    by: 'ana',
    async begin(dashboard) {
      const { deliveryId } = await usedUp(dashboard);
      return { page: `${DELIVERIES}/resend?delivery=${deliveryId}`, action: `${DELIVERIES}/resend` };
    },
  },
  [`${DELIVERIES}/:id/verify`]: ofDelivery('verify', usedUp, {
    isQuestion: true,
    fill: (page) => page.locator('input[name="header"]').fill('t=1,v1=00'),
  }),
  '/integrations/notices/:id/read': {
    by: 'ana',
    async begin(dashboard) {
      await usedUp(dashboard);
      return { page: '/integrations/notices', action: '/integrations/notices/' };
    },
  },
};
