import { expect, test } from '@jest/globals';
import { AUDIT_WORDS } from '../../dashboard/audit/words.ts';
import { TEAM_WORDS } from '../../dashboard/team/words.ts';
import { SETTINGS_WORDS } from '../../dashboard/settings/words.ts';
import { CALL_WORDS } from '../../dashboard/calls/words.ts';
import { uuidv7 } from 'uuidv7';
import { AuditEventEntity } from '../../db/entities/audit-event.entity.ts';
import { CallEventEntity } from '../../db/entities/calls/call-event.entity.ts';
import { isLinkMakerValid } from '../../db/calls/recordings.ts';
import { SessionEntity } from '../../db/entities/people/session.entity.ts';
import { linkMakerIn } from '../../domain/calls/recording-link.ts';
import { CallEntity } from '../../db/entities/calls/call.entity.ts';
import { CallRecordingEntity } from '../../db/entities/calls/call-recording.entity.ts';
import { ProfessionalEntity } from '../../db/entities/professional.entity.ts';
import { ServiceTypeEntity } from '../../db/entities/service-type.entity.ts';
import { TenantEntity } from '../../db/entities/tenant.entity.ts';
import type { CallOutcome } from '../../domain/calls/call.ts';
import { aClinic, anEndpoint, book, inHours } from '../support/clinic.ts';
import { suiteDashboard } from '../support/pages/dashboard-server.ts';
import { formOf } from '../support/pages/visitor.ts';
import { aCall, phoneHash } from './calls/a-call.ts';

const dashboard = await suiteDashboard();
const { tenantId } = dashboard.clinic;
const owner = await dashboard.person('ana');
let rita = await dashboard.person('rita');

const SCRIPT = '<script>alert(1)</script>';
const em = () => dashboard.database.em();

/** With what the caller says. */
async function aSpokenCall(
  startedAt: Date,
  { says = ['Bom dia'], ...changes }: { tenantId?: string; outcome?: CallOutcome; says?: string[] } = {},
): Promise<string> {
  const { tenantId = dashboard.clinic.tenantId } = changes;
  const callId = await aCall(dashboard, { startedAt, ...changes });
  const others = { toolName: null, toolInput: null, toolOutput: null, occurredAt: startedAt };
  await em().insertMany(
    CallEventEntity,
    says.map((transcript, sequence) => ({
      id: uuidv7(),
      tenantId,
      callId,
      sequence,
      eventType: 'speech' as const,
      transcript,
      ...others,
    })),
  );
  return callId;
}

test('calls are listed by what came of them, with the number that called', async () => {
  await aSpokenCall(new Date('2026-01-05T10:00:00Z'), { outcome: 'voicemail' });
  const { text } = await rita.get('/calls?outcome=voicemail&from=2026-01-05&to=2026-01-05');
  expect(text).toContain('+351911111111');
  expect(text).toContain('2:05');
  expect((await rita.get('/calls?outcome=voicemail&from=2026-01-06')).text).toContain(CALL_WORDS.en.none);
});

test('many calls come in pages, each once', async () => {
  for (let minute = 0; minute < 55; minute += 1) await aSpokenCall(new Date(Date.UTC(2020, 0, 1, 0, minute)));
  const first = await rita.get('/calls?to=2020-01-02');
  const next = /href="(\?[^"]*cursor=[^"]*)"/.exec(first.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const second = await rita.get(`/calls${next}`);
  const linked = [first, second].map(({ text }) => text.match(/\/calls\/[0-9a-f-]{36}/g) ?? []);
  expect(linked.map(({ length }) => length)).toEqual([50, 5]);
  expect(new Set(linked.flat()).size).toBe(55);
});

test('a call shows what was said, plays its recording and leads to what was booked in it', async () => {
  const startedAt = new Date(Date.now() - 60_000);
  const id = await aSpokenCall(startedAt, { outcome: 'booking_created', says: ['Queria marcar', SCRIPT] });
  const patientPhoneHash = phoneHash({ tenantId: dashboard.clinic.tenantId, e164: '+351911111111' });
  const booked = await book(dashboard.database, dashboard.clinic, {
    patientPhoneHash,
    startsAt: inHours(30),
  });
  expect((await rita.get(`/calls/${id}`)).text).toContain(CALL_WORDS.en.noRecording);
  await em().insert(CallRecordingEntity, {
    id: uuidv7(),
    tenantId: dashboard.clinic.tenantId,
    callId: id,
    contentType: 'audio/wav',
    sizeBytes: 1,
    sha256: Buffer.alloc(32),
    uploadedAt: startedAt,
  });
  const { text } = await rita.get(`/calls/${id}`);
  expect(text).toContain('Queria marcar');
  expect(text).toContain('&lt;script&gt;');
  expect(text).not.toContain(SCRIPT);
  expect(text).toMatch(new RegExp(`<audio[^>]*src="/calls/${id}/recording"`));
  const heard = { action: 'recording.link_issued' as const, subjectId: id };
  expect(await em().count(AuditEventEntity, heard)).toBe(0);
  const link = await fetch(`${dashboard.url}/calls/${id}/recording`, {
    headers: { cookie: `session=${rita.cookies().get('session')}` },
    redirect: 'manual',
  });
  expect(link.headers.get('location')).toMatch(/^http:\/\/api\.test\/recordings\/.*signature=/);
  expect(await em().count(AuditEventEntity, heard)).toBe(1);
  expect(text).toContain(`/appointments/${booked.id}`);
  expect(text).toContain(CALL_WORDS.en.nothingAgreed);

  const by = new URL(link.headers.get('location') ?? '').searchParams.get('by') ?? '';
  const maker = linkMakerIn(by);
  const isKeyValid = () =>
    dashboard.database
      .ofClinic(tenantId)
      .read(async (clinic) => maker && isLinkMakerValid(clinic, { ...maker, tenantId, now: new Date() }));
  expect([maker?.kind, await isKeyValid()]).toEqual(['session', true]);
  await em().nativeUpdate(SessionEntity, { id: maker?.id ?? '' }, { endsAt: new Date() });
  expect(await isKeyValid()).toBe(false);
  rita = await dashboard.person('rita');
});

test('a long call goes on over several pages, none of them large', async () => {
  const says = Array.from({ length: 70 }, (_, nr) => `Line ${nr}. ${'x'.repeat(2000)}`);
  const id = await aSpokenCall(new Date('2026-01-07T10:00:00Z'), { says });
  const seen: string[] = [];
  let address: string | undefined = `/calls/${id}`;
  while (address !== undefined) {
    const { text } = await rita.get(address);
    expect(text.length).toBeLessThan(100_000);
    seen.push(...(text.match(/Line \d+\./g) ?? []));
    const next = /href="(\?cursor=[^"]*)"/.exec(text)?.[1];
    address = next && `/calls/${id}${next}`;
  }
  expect(seen).toEqual(says.map((line) => line.split(' x')[0]));
});

test('another clinic’s call, professional and service are not there', async () => {
  const other = await aClinic(dashboard.database);
  const call = await aSpokenCall(new Date(), { tenantId: other.tenantId });
  const { professionalIds, serviceTypeId } = other;
  const addresses = [
    `/calls/${call}`,
    `/settings/professionals/${professionalIds[0]}`,
    `/settings/services/${serviceTypeId}`,
  ];
  for (const address of addresses) expect((await owner.get(address)).status).toBe(404);
  await owner.get(`/settings/professionals/${dashboard.clinic.professionalIds[0]}`);
  const own = `/settings/professionals/${dashboard.clinic.professionalIds[0]}`;
  const token = /name="form_token" value="([^"]*)"/.exec((await owner.get(own)).text)?.[1] ?? '';
  const taken = {
    form_token: token,
    name: 'Taken over',
    specialty: 'x',
    durationMinutes: '5',
    bufferMinutes: '0',
  };
  for (const address of addresses.slice(1)) expect((await owner.post(address, taken)).status).toBe(404);
  expect(await em().count(ProfessionalEntity, { name: 'Taken over' })).toBe(0);
  expect(await em().count(ServiceTypeEntity, { name: 'Taken over' })).toBe(0);
});

async function config(): Promise<Record<string, unknown>> {
  const { id, config: stored } = await em().findOneOrFail(TenantEntity, { id: dashboard.clinic.tenantId });
  expect(id).toBe(dashboard.clinic.tenantId);
  return stored;
}

/** Sends one of the forms of the settings, which all have the same action. */
async function save(part: string, fields: Record<string, string>) {
  const { text } = await owner.get('/settings');
  const form_token = /name="form_token" value="([^"]*)"/.exec(text)?.[1] ?? '';
  return owner.post('/settings', { form_token, part, ...fields });
}

test('the week of the business hours is kept, and a mistake in it is said', async () => {
  const week = { 'mon-0-from': '09:00', 'mon-0-to': '13:00', 'mon-1-from': '14:00', 'mon-1-to': '00:00' };
  const page = await save('hours', { ...week, always: 'yes' });
  expect(page.text).toContain('Saved.');
  expect(page.text).toMatch(/name="mon-1-to"\s+value="00:00"/);
  const hours = {
    mon: [
      ['09:00', '13:00'],
      ['14:00', '24:00'],
    ],
  };
  expect(await config()).toMatchObject({ businessHours: hours });
  const wrong = await save('hours', { 'tue-0-from': '18:00', 'tue-0-to': '09:00' });
  expect(wrong.status).toBe(422);
  expect(wrong.text).toContain('each period needs a start and a later end');
  expect(wrong.text).toMatch(/name="tue-0-from"\s+value="18:00"/);
  await save('hours', { ...week, always: 'yes' });
  expect(await config()).not.toHaveProperty('businessHours');
});

test('name, time zone and booking page are kept; a name that another clinic has is refused', async () => {
  const clinic = { name: 'Clínica da Luz', specialty: 'dental', timezone: 'Atlantic/Azores' };
  await save('clinic', clinic);
  await save('booking', { publicSlug: 'da-luz', publicBookingEnabled: 'yes' });
  expect(await config()).toMatchObject({ timezone: 'Atlantic/Azores' });
  const other = await aClinic(dashboard.database);
  await em().nativeUpdate(TenantEntity, { id: other.tenantId }, { publicSlug: 'taken' });
  const taken = await save('booking', { publicSlug: 'taken' });
  expect(taken.status).toBe(422);
  expect(taken.text).toContain('Another clinic already uses this address. Choose another.');
  const wrong = await save('clinic', { ...clinic, name: SCRIPT.repeat(20), timezone: 'Nowhere' });
  expect(wrong.status).toBe(422);
  expect(wrong.text).toContain(SETTINGS_WORDS.en.clinic.wrong.timezone);
  expect(wrong.text).not.toContain(SCRIPT);
  await save('clinic', { ...clinic, timezone: 'Europe/Lisbon' });
  await save('booking', { publicSlug: '', publicBookingEnabled: '' });
});

test('what the receptionist says and for how long it is kept is changed, and only that', async () => {
  const before = await config();
  await save('receptionist', { greeting: 'Bom dia!', voiceSpeed: '1,5', transcriptDays: '30' });
  expect(await config()).toEqual({
    ...before,
    greeting: 'Bom dia!',
    voiceSpeed: 1.5,
    retention: { transcriptDays: 30 },
  });
  const wrong = await save('receptionist', { voiceSpeed: '9', recordingDays: 'long' });
  expect(wrong.text).toContain(SETTINGS_WORDS.en.receptionist.wrong.voiceSpeed);
  expect(wrong.text).toContain('Enter a whole number of days');
  await save('receptionist', { greeting: '', voiceSpeed: '', transcriptDays: '' });
  expect(await config()).toEqual(before);
});

test('a professional is added, changed and takes no more bookings', async () => {
  await owner.get('/settings/professionals/new');
  const wrong = await owner.submit('/settings/professionals/new', { name: SCRIPT, email: 'nobody' });
  expect(wrong.status).toBe(422);
  expect(wrong.text).toContain(TEAM_WORDS.en.wrong.email);
  const list = await owner.submit('/settings/professionals/new', { specialty: 'Ortodontia', email: '' });
  expect(list.text).toContain('Ortodontia');
  expect(list.text).not.toContain(SCRIPT);
  const { id } = await em().findOneOrFail(ProfessionalEntity, { name: SCRIPT });
  const action = `/settings/professionals/${id}`;
  await owner.get(action);
  await owner.submit(action, { name: 'Dora Pires', active: '' });
  expect(await em().findOneOrFail(ProfessionalEntity, { id })).toMatchObject({
    name: 'Dora Pires',
    specialty: 'Ortodontia',
    active: false,
  });
});

test('a service is added with who offers it, and changed', async () => {
  const [professional = ''] = dashboard.clinic.professionalIds;
  await owner.get('/settings/services/new');
  const service = { name: 'Limpeza', durationMinutes: '45', priceEur: '60,5', professional };
  await owner.submit('/settings/services/new', service);
  const { id } = await em().findOneOrFail(ServiceTypeEntity, { name: 'Limpeza' });
  const page = await owner.get(`/settings/services/${id}`);
  expect(page.text).toContain('value="60.50"');
  expect(page.text).toMatch(new RegExp(`value="${professional}"\\s+checked`));
  const wrong = await owner.submit(`/settings/services/${id}`, { durationMinutes: '0' });
  expect(wrong.status).toBe(422);
  await owner.submit(`/settings/services/${id}`, { durationMinutes: '50', active: '' });
  expect(await em().findOneOrFail(ServiceTypeEntity, { id })).toMatchObject({
    durationMinutes: 50,
    active: false,
  });
});

/** How many the clinic has, or has of this name. */
async function rowsOf(table: string, name = '%'): Promise<number> {
  const asked = `SELECT 1 FROM ${table} WHERE tenant_id = ? AND name LIKE ?`;
  return (await em().execute<unknown[]>(asked, [tenantId, name])).length;
}

test('a form for a professional or a service that is sent twice, even at once, adds one; one filled in again another', async () => {
  const common = { specialty: 'Ortodontia', durationMinutes: '20' };
  for (const [action, table] of [
    ['/settings/professionals/new', 'professional'],
    ['/settings/services/new', 'service_type'],
  ] as const) {
    const { text } = await owner.get(action);
    const send = (name: string) => owner.post(action, formOf(text, action, { ...common, name }));
    const pages = await Promise.all([1, 2, 3].map(() => send('Sent twice')));
    pages.push(await send('Sent twice'), await send('Filled in again'));
    expect(pages.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect([await rowsOf(table, 'Sent twice'), await rowsOf(table, 'Filled in again')]).toEqual([1, 1]);
  }
});

test('many professionals and services come in pages by name, each once, even where names are the same', async () => {
  await em().execute(
    `INSERT INTO professional (id, tenant_id, name, specialty)
     SELECT gen_random_uuid(), '${tenantId}', 'Zoe ' || i / 40, 'x' FROM generate_series(1, 120) AS i`,
  );
  await em().execute(
    `INSERT INTO service_type (id, tenant_id, name, duration_minutes)
     SELECT gen_random_uuid(), '${tenantId}', 'Zirconia ' || i / 40, 30 FROM generate_series(1, 120) AS i`,
  );
  const [service] = await em().find(ServiceTypeEntity, { name: 'Zirconia 0' }, { limit: 1 });
  await em().execute(
    `INSERT INTO service_eligibility (tenant_id, service_type_id, professional_id)
     SELECT tenant_id, '${service?.id}', id FROM professional WHERE tenant_id = '${tenantId}' AND name = 'Zoe 0'`,
  );
  for (const [address, words, table] of [
    ['/settings/professionals', 'More professionals', 'professional'],
    ['/settings/services', 'More services', 'service_type'],
  ] as const) {
    const seen: string[] = [];
    let next: string | undefined = address;
    while (next !== undefined) {
      const { text } = await owner.get(next);
      const linked = [...text.matchAll(new RegExp(`href="${address}/([0-9a-f-]{36})"`, 'g'))];
      expect(linked.length).toBeLessThanOrEqual(50);
      seen.push(...linked.map(([, id = '']) => id));
      expect(text.includes(words)).toBe(linked.length === 50);
      if (text.includes(String(service?.id)))
        expect(text).toMatch(/Zoe 0, Zoe 0, Zoe 0, Zoe 0, Zoe 0\s+and 34 more/);
      const cursor = /href="(\?cursor=[^"]*)"/.exec(text)?.[1];
      next = cursor && `${address}${cursor}`;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toHaveLength(await rowsOf(table));
  }
  expect((await owner.get('/settings/services?cursor=nonsense')).status).toBe(200);
});

test('the owner alone sees who did what, to what, in words', async () => {
  const id = dashboard.clinic.professionalIds[0] ?? '';
  const action = `/settings/professionals/${id}`;
  await owner.get(action);
  await owner.submit(action, { name: 'Ana Reis', bio: 'Speaks Portuguese' });
  const service = `/settings/services/${dashboard.clinic.serviceTypeId}`;
  await owner.get(service);
  await owner.submit(service, { bufferMinutes: '15', professional: id });
  const { text } = await owner.get('/settings/audit');
  expect(text).toMatch(new RegExp(`href="${action}"[^>]*>Ana Reis<`));
  expect(text).toMatch(/name, bio \(shown to patients\)|bio \(shown to patients\), name/);
  expect(text).toContain('buffer after (minutes), offered by');
  expect(text).toContain('Ana Martins');
  expect(text).toContain(AUDIT_WORDS.en.actions['person.signed_in']);
  expect((await (await dashboard.person('miguel')).get('/settings/audit')).status).toBe(403);
  for (const address of ['/settings', '/settings/professionals', '/settings/services', '/settings/audit'])
    expect((await rita.get(address)).status).toBe(403);
});

test('the first page, the day, every list that grows and an endpoint keep themselves up to date', async () => {
  const endpointId = await anEndpoint(dashboard.database, dashboard.clinic.tenantId);
  const lists = ['keys', 'requests', 'endpoints', 'notices', 'deliveries', `endpoints/${endpointId}`];
  const addresses = lists.map((list) => `/integrations/${list}`);
  for (const address of ['/', '/appointments', '/calls', ...addresses])
    expect((await owner.get(address)).text).toMatch(/hx-trigger="every \d+s"/);
});

test('these pages speak Portuguese', async () => {
  const expected = {
    '/': 'Últimas 24 horas',
    '/calls?from=2999-01-01': 'Nenhuma chamada corresponde aos filtros.',
    '/settings/hours': 'Segunda-feira',
    '/settings/professionals': 'Novo profissional',
    '/settings/services': 'Novo serviço',
    '/settings/audit': 'iniciou sessão',
  };
  for (const [address, words] of Object.entries(expected))
    expect((await owner.get(address, { 'accept-language': 'pt' })).text).toContain(words);
});

test('booking for a caller completes the call back, and a booking for someone else does not', async () => {
  const startedAt = new Date(Date.now() - 60_000);
  const call = await aCall(dashboard, { outcome: 'voicemail', from: '+351934000001', startedAt });
  const other = await aCall(dashboard, { outcome: 'voicemail', from: '+351934000002', startedAt });
  const [professionalId = ''] = dashboard.clinic.professionalIds;
  const { serviceTypeId } = dashboard.clinic;
  const day = inHours(24 * 30)
    .toISOString()
    .slice(0, 10);
  const form = `/appointments/new?call=${call}&service=${serviceTypeId}&professional=${professionalId}&day=${day}`;
  const { text } = await rita.get(form);
  const time = /name="time"\s+value="([^"]*)"/.exec(text)?.[1] ?? '';
  await rita.submit('/appointments/new', { patientName: 'Called back', time, step: 'book' });
  const calledBackAt = async (id: string) => (await em().findOneOrFail(CallEntity, { id })).calledBackAt;
  expect(await calledBackAt(call)).toBeInstanceOf(Date);
  expect(await calledBackAt(other)).toBeNull();
  expect((await rita.get('/calls?todo=call-back')).text).not.toContain(`href="/calls/${call}"`);
});
