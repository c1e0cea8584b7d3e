import { expect, test } from '@jest/globals';
import { createApiKey } from '../../../commands/clinic/create-api-key.ts';
import { revokeApiKey, rollApiKey } from '../../../commands/clinic/change-api-key.ts';
import { createPortalLink } from '../../../commands/people/portal-links.ts';
import { AuditEventEntity } from '../../../db/entities/audit-event.entity.ts';
import { TenantEntity } from '../../../db/entities/tenant.entity.ts';
import { WebhookDeliveryEntity } from '../../../db/entities/webhooks/webhook-delivery.entity.ts';
import { WebhookEndpointEntity } from '../../../db/entities/webhooks/webhook-endpoint.entity.ts';
import type { Scope } from '../../../domain/clinic/api-scopes.ts';
import { PORTAL_SESSION_MS } from '../../../domain/people/session.ts';
import { anEndpoint, asOperator, book } from '../../support/clinic.ts';
import { suiteDashboard } from '../../support/pages/dashboard-server.ts';
import { formOf, type Visitor } from '../../support/pages/visitor.ts';
import { attempted } from '../../webhooks/recorded-attempts.ts';

const ENDPOINTS = '/integrations/endpoints';
const URL_OF_PMS = 'https://pms.example.com/hook';

/** What the dashboard takes for now. */
let ahead = 0;

const dashboard = await suiteDashboard({ now: () => new Date(Date.now() + ahead) });
const { database, clinic } = dashboard;
const endpointId = await anEndpoint(database, clinic.tenantId);
await book(database, clinic);
const row = await database.em().findOneOrFail(WebhookDeliveryEntity, { tenantId: clinic.tenantId });
await attempted(database, row, { number: 1, status: 500, responseExcerpt: 'cannot book Maria Santos' });
/** Of a booking of Maria’s, which the receiver answered with her name in it. */
const delivery = `/integrations/deliveries/${row.id}`;

/** Someone who has opened a link that a key with these scopes made. */
async function aPartner(...scopes: Scope[]): Promise<Visitor & { keyId: string; link: string }> {
  const { database, clinic, url: dashboardUrl } = dashboard;
  const { tenantId } = clinic;
  const input = { tenantId, name: 'PMS', scopes, expiresAt: null, mode: 'test' as const };
  const { row } = await database.write((em) => createApiKey(em, input, asOperator()));
  const context = { actor: `key:${row.id}`, requestId: null, now: new Date() };
  const { url } = await database.write((em) =>
    createPortalLink(em, { tenantId, dashboardUrl, apiKeyId: row.id }, context),
  );
  const visitor = dashboard.stranger();
  const link = new URL(url).pathname;
  await visitor.get(link);
  await visitor.submit(link);
  return Object.assign(visitor, { keyId: row.id, link });
}

function endpointsWith(url: string): Promise<number> {
  return dashboard.database.em().count(WebhookEndpointEntity, { url });
}

test('a link shows patients to whom its key shows them, and to no one else', async () => {
  const named = await (await aPartner('webhooks:read', 'webhooks:write', 'appointments:read')).get(delivery);
  expect(named.text.match(/Maria Santos/g)?.length).toBeGreaterThan(2);
  for (const scopes of [['webhooks:write'], ['webhooks:read', 'webhooks:write', 'calls:read']] as const) {
    const { status, text } = await (await aPartner(...scopes)).get(delivery);
    expect([status, text.includes('Maria')]).toEqual([scopes.length === 1 ? 403 : 200, false]);
  }
});

test.each(['/integrations/deliveries', `${ENDPOINTS}/${endpointId}`])(
  '%s shows whose visit was sent to the clinic’s owner, and not to a partner',
  async (address) => {
    const owner = await dashboard.person('ana');
    const partner = await aPartner('webhooks:read', 'webhooks:write', 'appointments:read');
    expect((await owner.get(address)).text).toContain('Maria Santos');
    const { text } = await partner.get(address);
    expect(text).toContain(`/integrations/deliveries/${row.id}`);
    expect(text).not.toContain('Maria');
  },
);

test('what someone pasted is checked without showing the patient', async () => {
  const partner = await aPartner('webhooks:read', 'webhooks:write');
  await partner.get(delivery);
  const page = await partner.submit(`${delivery}/verify#verify`, { header: 't=1,v1=00', body: '{}' });
  expect([page.status, page.text.includes('Maria')]).toEqual([200, false]);
});

test('a link that may change endpoints alone shows none, and begins with the form for a new one', async () => {
  const partner = await aPartner('webhooks:write');
  expect((await partner.get('/')).url.pathname).toBe(`${ENDPOINTS}/new`);
  for (const address of [ENDPOINTS, `${ENDPOINTS}/${endpointId}`, '/integrations/notices', delivery]) {
    const page = await partner.get(address);
    expect([page.status, page.text]).toEqual([
      403,
      expect.stringContaining('You can’t do that with this link'),
    ]);
  }
});

test('a link subscribes to what its key may read, and sends nobody’s events elsewhere', async () => {
  const partner = await aPartner('webhooks:read', 'webhooks:write', 'calls:read');
  const { text } = await partner.get(`${ENDPOINTS}/new`);
  const fields = (events: string) => formOf(text, `${ENDPOINTS}/new`, { url: URL_OF_PMS, events });
  for (const events of ['*', 'appointment.*', 'tenant.config_updated']) {
    const refused = await partner.post(`${ENDPOINTS}/new`, fields(events));
    expect([refused.status, refused.text]).toEqual([
      422,
      expect.stringContaining('have permission for all of these events'),
    ]);
  }
  const edit = `${ENDPOINTS}/${endpointId}/edit`;
  await partner.get(edit);
  expect((await partner.submit(edit, { url: URL_OF_PMS })).status).toBe(422);
  expect(await endpointsWith(URL_OF_PMS)).toBe(0);
  await partner.get(edit);
  await partner.submit(edit, { description: 'Novigest' });
  expect(await dashboard.database.em().count(WebhookEndpointEntity, { description: 'Novigest' })).toBe(1);
  expect((await partner.post(`${ENDPOINTS}/new`, fields('call.*'))).status).toBe(200);
  expect(await endpointsWith(URL_OF_PMS)).toBe(1);
});

test.each(['revoked', 'rolled', 'expired'] as const)(
  'a key that is %s takes its links along',
  async (how) => {
    const { database, clinic, dashboardUrl } = { ...dashboard, dashboardUrl: dashboard.url };
    const partner = await aPartner('webhooks:read', 'webhooks:write');
    const { tenantId } = clinic;
    const ofKey = { tenantId, keyId: partner.keyId };
    const unopened = await database.write((em) =>
      createPortalLink(em, { tenantId, dashboardUrl, apiKeyId: partner.keyId }, asOperator()),
    );
    expect((await partner.get(ENDPOINTS)).status).toBe(200);
    await database.write(async (em) => {
      if (how === 'revoked') return void (await revokeApiKey(em, ofKey, asOperator()));
      const overlapSeconds = how === 'rolled' ? 0 : 60;
      await rollApiKey(em, { ...ofKey, overlapSeconds, mode: 'test' }, asOperator());
    });
    ahead = how === 'expired' ? 60_000 : 0;
    expect((await partner.get(ENDPOINTS)).text).toContain('Who are you?');
    const late = dashboard.stranger();
    const address = new URL(unopened.url).pathname;
    await late.get(address);
    expect((await late.submit(address)).status).toBe(410);
    ahead = 0;
  },
);

test('a link lasts an hour, however much it is used', async () => {
  const partner = await aPartner('webhooks:read', 'webhooks:write');
  for (ahead = 0; ahead < PORTAL_SESSION_MS; ahead += PORTAL_SESSION_MS / 4)
    expect((await partner.get(ENDPOINTS)).status).toBe(200);
  expect(PORTAL_SESSION_MS).toBe(3_600_000);
  expect((await partner.get(ENDPOINTS)).text).toContain('Who are you?');
  ahead = 0;
});

test('a canceled clinic gets no link, and one that it has opens nothing and is told to have ended', async () => {
  const { database, clinic, url: dashboardUrl } = dashboard;
  const { tenantId } = clinic;
  const make = () => database.write((em) => createPortalLink(em, { tenantId, dashboardUrl }, asOperator()));
  const link = new URL((await make()).url).pathname;
  const setStatus = (status: 'canceled' | 'active') =>
    database.em().nativeUpdate(TenantEntity, { id: tenantId }, { status });
  const visitor = dashboard.stranger();
  await visitor.get(link);
  await setStatus('canceled');
  await expect(make()).rejects.toMatchObject({ code: 'clinic_inactive' });
  const refused = await visitor.submit(link);
  await setStatus('active');
  expect([refused.status, refused.url.pathname]).toEqual([410, link]);
  // It was not used up.
  await visitor.get(link);
  expect((await visitor.submit(link)).url.pathname).toBe(ENDPOINTS);
});

test('the audit tells what was done by a link, by which, and which key had made it', async () => {
  const partner = await aPartner('webhooks:read', 'webhooks:write');
  const page = `${ENDPOINTS}/${endpointId}`;
  await partner.get(page);
  await partner.submit(`${page}/test`);
  const linkMadeBy = `key:${partner.keyId}`;
  const rows = await dashboard.database
    .em()
    .find(AuditEventEntity, { tenantId: dashboard.clinic.tenantId }, { orderBy: { id: 'asc' } });
  const [created] = rows.filter(
    ({ action, actor }) => action === 'portal_link.created' && actor === linkMadeBy,
  );
  const actor = `portal:${String(created?.subjectId)}`;
  expect(rows.filter((row) => row.actor === actor)).toMatchObject([
    { action: 'portal_link.opened', subjectId: created?.subjectId, details: { linkMadeBy } },
    { action: 'endpoint.tested', subjectId: endpointId, details: { linkMadeBy } },
  ]);
  const owner = await dashboard.person('ana');
  expect((await owner.get('/settings/audit')).text).toMatch(/integration partner[\s\S]{0,80}API key “PMS”/);
});
