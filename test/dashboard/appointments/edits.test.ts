import { expect, test } from '@jest/globals';
import { updateProfessional } from '../../../commands/clinic/professionals/save-professional.ts';
import { ApiKeyEntity } from '../../../db/entities/api-key.entity.ts';
import { WebhookDeliveryEntity } from '../../../db/entities/webhooks/webhook-delivery.entity.ts';
import { anEventUsedUp } from '../../webhooks/recorded-attempts.ts';
import { ProfessionalEntity, type ProfessionalRow } from '../../../db/entities/professional.entity.ts';
import { ServiceTypeEntity } from '../../../db/entities/service-type.entity.ts';
import { TenantEntity } from '../../../db/entities/tenant.entity.ts';
import { WebhookEndpointEntity } from '../../../db/entities/webhooks/webhook-endpoint.entity.ts';
import { PROFESSIONAL_FORM, type ShownOfProfessional } from '../../../dashboard/team/professional-form.ts';
import type { FormFields } from '../../../dashboard/edits/form-fields.ts';
import type { Words } from '../../../dashboard/language/language.ts';
import { mergeValues } from '../../../dashboard/edits/merge-values.ts';
import { aClinic, anEndpoint, asOperator } from '../../support/clinic.ts';
import { suiteDashboard } from '../../support/pages/dashboard-server.ts';
import { formOf, type Visitor } from '../../support/pages/visitor.ts';

/** What two people change in the same forms. */

const dashboard = await suiteDashboard();
const { clinic, database } = dashboard;
const [ana, miguel] = [await dashboard.person('ana'), await dashboard.person('miguel')];

const em = () => dashboard.database.em();
const tenant = () => em().findOneOrFail(TenantEntity, { id: dashboard.clinic.tenantId });
const professional = () =>
  em().findOneOrFail(ProfessionalEntity, { id: dashboard.clinic.professionalIds[0] ?? '' });

/** Opens a page now, and sends one of its forms whenever one likes. */
async function opened(visitor: Visitor, address: string, action = address) {
  const { text } = await visitor.get(address);
  return (fields: Record<string, string> = {}) =>
    visitor.post(action.split('#')[0] ?? action, formOf(text, action, fields));
}

test('settings that were saved from an older page keep what someone else has changed since, and say so', async () => {
  const older = await opened(miguel, '/settings/receptionist', '/settings/receptionist#receptionist');
  const newer = await opened(ana, '/settings/receptionist', '/settings/receptionist#receptionist');
  await newer({ greeting: 'Bom dia!', voiceSpeed: '1.5', transcriptDays: '30', fallbackHumanNumber: '112' });
  const page = await older({ voice: 'Clara', recordingDays: '60' });
  expect(page.status).toBe(200);
  expect(page.text).toContain('and those changes were kept: Greeting,');
  expect((await tenant()).config).toMatchObject({
    greeting: 'Bom dia!',
    voiceSpeed: 1.5,
    fallbackHumanNumber: '112',
    voice: 'Clara',
    retention: { transcriptDays: 30, recordingDays: 60 },
  });
});

test('two who change the same field are told, and the second one decides', async () => {
  const older = await opened(miguel, '/settings', '/settings#clinic');
  const newer = await opened(ana, '/settings', '/settings#clinic');
  await newer({ name: 'Clínica do Sol', specialty: 'physio' });
  const refused = await older({ name: 'Clínica da Lua' });
  expect(refused.status).toBe(409);
  expect(refused.text).toContain('Someone else changed this to “Clínica do Sol” while you were editing.');
  expect(refused.text).toContain('value="Clínica da Lua"');
  expect((await tenant()).name).toBe('Clínica do Sol');
  await miguel.post('/settings', formOf(refused.text, '/settings#clinic'));
  expect(await tenant()).toMatchObject({ name: 'Clínica da Lua', specialty: 'physio' });
});

test('changes by others stay when a form is refused for another reason and then corrected', async () => {
  const other = await aClinic(dashboard.database);
  await em().nativeUpdate(TenantEntity, { id: other.tenantId }, { publicSlug: 'taken' });
  await em().nativeUpdate(TenantEntity, { id: dashboard.clinic.tenantId }, { publicSlug: 'before' });
  const older = await opened(miguel, '/settings/booking', '/settings/booking#booking');
  const newer = await opened(ana, '/settings/booking', '/settings/booking#booking');
  await newer({ publicBookingEnabled: 'yes' });
  const refused = await older({ publicSlug: 'taken' });
  await miguel.post(
    '/settings',
    formOf(refused.text, '/settings/booking#booking', { publicSlug: 'of-the-sea' }),
  );
  const saved = { publicBookingEnabled: true, publicSlug: 'of-the-sea' };
  expect(await tenant()).toMatchObject(saved);
});

test('the days of a week belong to those who change them', async () => {
  const older = await opened(miguel, '/settings/hours', '/settings/hours#hours');
  const newer = await opened(ana, '/settings/hours', '/settings/hours#hours');
  await newer({ always: '', 'mon-0-from': '09:00', 'mon-0-to': '13:00' });
  await older({ 'tue-0-from': '10:00', 'tue-0-to': '00:00' });
  const week = { mon: [['09:00', '13:00']], tue: [['10:00', '24:00']] };
  expect((await tenant()).config['businessHours']).toEqual(week);
  await (
    await opened(ana, '/settings/hours', '/settings/hours#hours')
  )({ always: 'yes' });
  expect((await tenant()).config).not.toHaveProperty('businessHours');
});

test('a professional, a service and an endpoint keep what others have changed meanwhile', async () => {
  const endpointId = await anEndpoint(database, clinic.tenantId);
  const { id: professionalId } = await professional();
  const forms = {
    [`/settings/professionals/${professionalId}`]: [{ bio: 'Speaks French' }, { title: 'Dra.' }],
    [`/settings/services/${clinic.serviceTypeId}`]: [{ priceEur: '50' }, { durationMinutes: '45' }],
    [`/integrations/endpoints/${endpointId}/edit`]: [
      { url: 'https://new.example/hook' },
      { description: 'Novigest' },
    ],
  };
  for (const [address, [mine = {}, theirs = {}]] of Object.entries(forms)) {
    const older = await opened(miguel, address);
    await (
      await opened(ana, address)
    )(theirs);
    expect((await older(mine)).status).toBe(200);
  }
  expect(await professional()).toMatchObject({ bio: 'Speaks French', title: 'Dra.' });
  expect(await em().findOneOrFail(ServiceTypeEntity, { id: clinic.serviceTypeId })).toMatchObject({
    priceEur: '50.00',
    durationMinutes: 45,
  });
  expect(await em().findOneOrFail(WebhookEndpointEntity, { id: endpointId })).toMatchObject({
    url: 'https://new.example/hook',
    description: 'Novigest',
  });
});

test('a form that lacks a field leaves it as it is', async () => {
  const { id: professionalId, tenantId } = await professional();
  const fields = { bio: 'Speaks Italian', email: 'ana@clinic.example' };
  await dashboard.database.write((manager) =>
    updateProfessional(manager, { tenantId, professionalId, fields }, asOperator()),
  );
  const address = `/settings/professionals/${professionalId}`;
  const { text } = await ana.get(address);
  const { bio: _bio, email: _email, active: _active, ...sent } = formOf(text, address, { title: 'Prof.' });
  await ana.post(address, sent);
  expect(await professional()).toMatchObject({ ...fields, title: 'Prof.', active: true });
});

test('every field of a form and every word of it is asked for by the types', () => {
  const { bio: _bio, ...others } = PROFESSIONAL_FORM;
  // @ts-expect-error a form without a line for one of its fields
  const forgetful: FormFields<ProfessionalRow, ShownOfProfessional> = others;
  // @ts-expect-error a word without its translation
  const halfSaid: Words<Record<keyof ShownOfProfessional, string>> = { en: {}, pt: { name: 'Nome' } };
  expect([Object.keys(forgetful), Object.keys(halfSaid)]).not.toContain('bio');
});

test('a button of an endpoint does nothing when someone else has changed the endpoint since', async () => {
  const id = await anEndpoint(database, clinic.tenantId);
  const address = `/integrations/endpoints/${id}`;
  const older = await miguel.get(address);
  const press = (visitor: Visitor, text: string, action: string) =>
    visitor.post(`${address}/${action}`, { ...formOf(text, `${address}/${action}`), sure: 'yes' });
  await (
    await opened(ana, `${address}/edit`)
  )({ url: 'https://moved.example/hook' });
  for (const action of ['test', 'rotate', 'disable', 'delete']) {
    const page = await press(miguel, older.text, action);
    expect([action, page.status]).toEqual([action, 409]);
    expect(page.text).toContain('Someone else changed something here');
  }
  const stored = () => em().findOneOrFail(WebhookEndpointEntity, { id });
  expect(await stored()).toMatchObject({ status: 'active', deletedAt: null });
  const { text } = await miguel.get(address);
  for (const visitor of [miguel, miguel]) expect((await press(visitor, text, 'disable')).status).toBe(200);
  expect(await stored()).toMatchObject({ status: 'disabled' });
  const off = await miguel.get(address);
  for (const visitor of [miguel, miguel])
    expect((await press(visitor, off.text, 'delete')).url.pathname).toBe('/integrations/endpoints');
});

test('a key that someone else has rolled is neither rolled nor revoked from an older page', async () => {
  const { tenantId } = dashboard.clinic;
  await ana.get('/integrations/keys/new');
  await ana.submit('/integrations/keys/new', { name: 'Rolled by two' });
  const { id } = await em().findOneOrFail(ApiKeyEntity, { tenantId, name: 'Rolled by two' });
  const address = `/integrations/keys/${id}`;
  const [older, newer] = [await miguel.get(address), await ana.get(address)];
  const press = (visitor: Visitor, text: string, action: string) =>
    visitor.post(`${address}/${action}`, formOf(text, `${address}/${action}`));
  expect((await press(ana, newer.text, 'roll')).status).toBe(200);
  for (const action of ['roll', 'revoke']) {
    const page = await press(miguel, older.text, action);
    expect([page.status, page.text.includes('Someone else changed')]).toEqual([409, true]);
  }
  expect(await em().count(ApiKeyEntity, { tenantId, name: 'Rolled by two' })).toBe(2);
});

test('a delivery that is sent again twice at once goes once', async () => {
  const endpointId = await anEndpoint(database, clinic.tenantId);
  const { id, eventId } = await anEventUsedUp(database, { tenantId: clinic.tenantId, endpointId });
  const address = `/integrations/deliveries/${id}`;
  const { text } = await ana.get(address);
  const pages = await Promise.all(
    [1, 2].map(() => ana.post(`${address}/resend`, formOf(text, `${address}/resend`))),
  );
  expect(new Set(pages.map(({ url }) => url.pathname)).size).toBe(1);
  expect(await em().count(WebhookDeliveryEntity, { eventId, endpointId })).toBe(2);
});

test('a test event that is sent twice at once goes once, and one of another type goes too', async () => {
  const { tenantId } = clinic;
  const endpointId = await anEndpoint(database, tenantId);
  const address = `/integrations/endpoints/${endpointId}`;
  const { text } = await ana.get(address);
  const send = (visitor: Visitor, type = '') =>
    visitor.post(`${address}/test`, formOf(text, `${address}/test`, { type }));
  const [first, second] = await Promise.all([send(ana), send(ana)]);
  expect(first.url.pathname).toBe(second.url.pathname);
  const count = () => em().count(WebhookDeliveryEntity, { tenantId, endpointId });
  expect(await count()).toBe(1);
  await send(ana, 'call.completed');
  expect(await count()).toBe(2);
  await ana.get(address);
  await ana.submit(`${address}/test`, { type: 'call.completed' });
  expect(await count()).toBe(3);
});

const NAMES = ['a', 'b', 'c', 'd', 'e'] as const;
const merge = (shown: string, sent: string, stored: string) => {
  const [before, mine, now] = [shown, sent, stored].map((text) =>
    Object.fromEntries(NAMES.slice(0, text.length).map((name, at) => [name, text[at] ?? ''])),
  );
  const merged = mergeValues({ shown: before ?? {}, sent: mine ?? {}, stored: now ?? {} });
  return [Object.values(merged.values).join(''), [...merged.contested].join(), merged.theirs.join()];
};

test('of three states nothing that anyone wrote is lost without being asked about', () => {
  // Left alone; changed here; changed there; changed here and there to the same; and to something else.
  expect(merge('11111', '12123', '11224')).toEqual(['12223', 'e', 'c,d']);
  expect(merge('11111', '', '12345')).toEqual(['12345', '', 'b,c,d,e']);
});
