import { expect, test } from '@jest/globals';
import { AUDIT_WORDS } from '../../../dashboard/audit/words.ts';
import { FRAME_WORDS } from '../../../dashboard/layout/words.ts';
import { DESK_WORDS } from '../../../dashboard/support/desk-words.ts';
import { ENDPOINT_WORDS } from '../../../dashboard/webhooks/endpoints/words.ts';
import { WebhookEndpointEntity } from '../../../db/entities/webhooks/webhook-endpoint.entity.ts';
import { TenantEntity } from '../../../db/entities/tenant.entity.ts';
import { aClinic, aKey, anEndpoint, book, inHours } from '../../support/clinic.ts';
import { suiteDashboard } from '../../support/pages/dashboard-server.ts';
import { anEventFor, attempted } from '../../webhooks/recorded-attempts.ts';

/** A morning at the support desk: a clinic calls, and someone looks at how it is. */

const dashboard = await suiteDashboard();
const { database } = dashboard;
const sofia = await dashboard.person('sofia');
const other = await aClinic(database);
const { tenantId } = other;
const endpointId = await anEndpoint(database, tenantId);
const url = 'https://hooks.example.com:8443/in?token=secret';
await database.em().nativeUpdate(WebhookEndpointEntity, { id: endpointId }, { url });
await database.em().nativeUpdate(TenantEntity, { id: tenantId }, { name: 'Clínica Azul' });
await aKey(database, tenantId);
const { id: appointmentId } = await book(database, other, { startsAt: inHours(30) });
for (const number of [1, 2])
  await attempted(database, await anEventFor(database, { tenantId, endpointId }), {
    number,
    status: 403,
    errorClass: 'http_4xx',
  });

test('the list of clinics shows how the endpoints of each are', async () => {
  const { text } = await sofia.get('/support/clinics');
  const row = text.split('<tr>').find((part) => part.includes('Clínica Azul')) ?? '';
  expect(row).toContain('hooks.example.com:8443');
  expect(row).toContain(ENDPOINT_WORDS.en.states.refusing);
  expect(row).not.toContain('secret');
  expect(text).toContain(`href="/support/clinics/${dashboard.clinic.tenantId}"`);
});

test('the list of clinics is read page by page, by name', async () => {
  const names = Array.from({ length: 30 }, (_, nr) => `Many ${String(nr).padStart(2, '0')}`);
  for (const name of names) {
    const { tenantId: id } = await aClinic(database, { professionals: 0 });
    await database.em().nativeUpdate(TenantEntity, { id }, { name });
  }
  const seen: string[] = [];
  let address = '/support/clinics';
  while (address !== '') {
    const { text } = await sofia.get(address);
    seen.push(
      ...[...text.matchAll(/href="\/support\/clinics\/[^"]*">([^<]*)</g)].map(([, name = '']) => name),
    );
    const next = /rel="next" href="([^"]*)"/.exec(text)?.[1];
    address = next === undefined ? '' : `/support/clinics${next}`;
  }
  expect(seen).toEqual(expect.arrayContaining(names));
  expect(new Set(seen).size).toBe(32);
});

test('a clinic’s activity log is read from its page, without links into the clinic’s own pages', async () => {
  const clinic = await sofia.get(`/support/clinics/${tenantId}`);
  expect(clinic.text).toContain(DESK_WORDS.en.clinic.activity);
  const { text } = await sofia.get(`/support/clinics/${tenantId}/activity`);
  expect(text).toContain(FRAME_WORDS.en.sections.audit);
  expect(text).toContain(AUDIT_WORDS.en.actions['support.viewed']);
  expect(text).not.toContain('href="/integrations/');
});

/** What someone copies from a page of the desk. */
async function copied(address: string): Promise<string[]> {
  const { text } = await sofia.get(address);
  const main = text.slice(text.indexOf('<main'));
  const codes = [...main.matchAll(/<code>([^<]*)<\/code\s*>/g)].map(([, code = '']) => code);
  const times = [...main.matchAll(/<time [^>]*>([^<]*)<\/time>/g)].map(([, time = '']) => time.trim());
  const hosts = [...main.matchAll(/>\s*([\w-]+(?:\.[\w-]+)+(?::\d+)?)\s*</g)].map(([, host = '']) => host);
  return [...codes, ...hosts, ...times.filter((time) => /\d:\d\d/.test(time))];
}

test('what is copied from a page of the desk is found again', async () => {
  const found = new Set<string>();
  for (const address of [
    `/support/clinics/${tenantId}`,
    `/support/deliveries?clinic=${tenantId}`,
    `/support/appointments/${appointmentId}`,
  ])
    for (const text of await copied(address)) found.add(text);
  const asked = [...found].filter((text) => !/^[a-z]+\.[a-z_]+$/.test(text));
  expect(asked).toEqual(expect.arrayContaining([tenantId, appointmentId, 'hooks.example.com:8443']));
  expect(asked.some((text) => text.startsWith('svc_test_'))).toBe(true);
  expect(asked.some((text) => /20\d\d, \d\d:\d\d W/.test(text))).toBe(true);
  for (const text of asked) {
    await sofia.get('/support');
    const answer = await sofia.submit('/support', { asked: text });
    expect([text, answer.status]).toEqual([text, 200]);
    const isFound =
      !answer.text.includes(DESK_WORDS.en.search.none) &&
      !answer.text.includes(DESK_WORDS.en.search.noClinic);
    expect([text, isFound]).toEqual([text, true]);
  }
});

test('the URL of an endpoint finds it, whatever follows its host', async () => {
  await sofia.get('/support');
  const answer = await sofia.submit('/support', { asked: url });
  expect(answer.url.search).toBe(`?endpoint=${endpointId}`);
});
