import { globSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { contracts } from '../../../api/resources.ts';
import { holdSlot } from '../../../commands/appointments/holds/hold-slot.ts';
import type { Database } from '../../../db/connection/open-database.ts';
import type { Contract } from '../../../api/contract/define-contracts.ts';
import { allPages } from '../../../dashboard/app.ts';
import type { ApiRequest } from '../../support/api-client.ts';
import { asOperator, bookingBody, inHours, type TestClinic } from '../../support/clinic.ts';
import { startTestDashboard, type TestDashboard } from '../../support/pages/dashboard-server.ts';
import { startTestApi, type TestApi } from '../../support/servers/api-server.ts';

/** Of a minute that no appointment and no grid has, in an hour that is not now. */
const startsAt = new Date(inHours(30).getTime() + 7 * 60_000);
const HOUR = startsAt.toLocaleTimeString('en-GB', { hour: 'numeric', timeZone: 'Europe/Lisbon' });
/** As people are shown a time, or programs; samples of events have times of their own, with seconds. */
const SHOWN = new RegExp(`(?<![\\d:])0?${Number(HOUR)}:07(?![\\d:])|${startsAt.toISOString()}`);

async function aHold(database: Database, { tenantId, professionalIds, serviceTypeId }: TestClinic) {
  const professionalId = professionalIds[0] ?? '';
  const slot = { tenantId, professionalId, serviceTypeId, startsAt, mayBackdate: false };
  return (await database.write((em) => holdSlot(em, slot, asOperator()))).id;
}

/** Where a hold is what is asked for. */
const OF_HOLDS = ['getSlotHold', 'releaseSlotHold'];

const APPOINTMENT_FIELDS = { score: 9, answers: {} };

describe('of the API', () => {
  let api: TestApi;
  let holdId: string;

  beforeAll(async () => {
    api = await startTestApi();
    await api.client.post('/v1/appointments', bookingBody(api.clinic, inHours(29)));
    holdId = await aHold(api.database, api.clinic);
  });
  afterAll(() => api[Symbol.asyncDispose]());

  /** What some questions need. */
  function asked({ path }: Contract): ApiRequest {
    const { serviceTypeId } = api.clinic;
    const [from = '', to = ''] = [28, 40].map((hours) => inHours(hours).toISOString());
    if (path === '/v1/availability') return { query: { serviceTypeId, from, to } };
    if (path === '/v1/availability/search') return { body: { serviceTypeId, limit: 20 } };
    if (path === '/v1/appointments/search' || path === '/v1/patients/export')
      return { body: { patientPhone: '+351912345678' } };
    if (path.endsWith('/replay-preview')) return { query: { since: from } };
    return {};
  }

  const reads = Object.entries<Contract>(contracts).filter(
    ([id, { access, method, isQuery }]) =>
      access !== 'public' && (method === 'GET' || isQuery) && !OF_HOLDS.includes(id),
  );

  test.each(reads)('%s shows no hold', async (_id, contract) => {
    const path = contract.path.replace(/\{\w+\}/, holdId);
    const answer = await api.client.send(contract.method, path, asked(contract));
    const isOfOne = path !== contract.path;
    expect([contract.path, answer.status]).toEqual([contract.path, isOfOne ? 404 : 200]);
    if (isOfOne) return;
    expect(answer.text).not.toContain(holdId);
    expect(answer.text).not.toContain(startsAt.toISOString());
  });

  test('nothing that changes an appointment changes a hold', async () => {
    const path = `/v1/appointments/${holdId}`;
    const changes = [
      api.client.patch(path, { patientNotes: 'x' }),
      api.client.patch(path, { status: 'cancelled' }),
      api.client.delete(path),
      api.client.send('POST', `${path}/reinstate`),
    ];
    for (const change of changes) expect((await change).status).toBe(404);
    for (const [path, field] of [
      ['/v1/nps-responses', 'score'],
      ['/v1/triage-forms', 'answers'],
    ] as const) {
      const body = { appointmentId: holdId, [field]: APPOINTMENT_FIELDS[field] };
      expect((await api.client.post(path, body)).status).toBe(422);
    }
    expect((await api.client.get(`/v1/slot-holds/${holdId}`)).status).toBe(200);
  });

  test('a hold has no event, no line of a timeline and no timer', async () => {
    const rows = await api.database.em().execute(
      `SELECT message::text AS found FROM outbox WHERE message::text LIKE '%' || ? || '%'
       UNION ALL SELECT id FROM webhook_event WHERE body LIKE '%' || ? || '%'
       UNION ALL SELECT kind FROM appointment_change WHERE appointment_id = ?`,
      [holdId, holdId, holdId],
    );
    expect(rows).toEqual([]);
  });
});

describe('of the dashboard', () => {
  let dashboard: TestDashboard;
  let holdId: string;

  beforeAll(async () => {
    dashboard = await startTestDashboard();
    holdId = await aHold(dashboard.database, dashboard.clinic);
  });
  afterAll(() => dashboard[Symbol.asyncDispose]());

  test('no page shows a hold', async () => {
    const [ana, sofia] = [await dashboard.person('ana'), await dashboard.person('sofia')];
    const day = startsAt.toISOString().slice(0, 10);
    for (const { method, path } of allPages(dashboard.dependencies)) {
      if (method !== 'GET') continue;
      const visitor = path.startsWith('/support') ? sofia : ana;
      const page = await visitor.get(`${path.replaceAll(/:\w+/g, holdId)}?day=${day}`);
      const isOfOne = path.includes(':');
      expect([path, page.status]).toEqual([path, isOfOne ? 404 : 200]);
      expect([path, SHOWN.test(page.text)]).toEqual([path, false]);
    }
    const sought = await sofia.get(`/support?q=${holdId}`);
    expect(sought.text).not.toContain(`/support/appointments/${holdId}`);
  });
});

test('only what asks who takes a time, or whose an id is, reads the table that has holds', () => {
  const reading = ['admin', 'activities', 'api', 'commands', 'dashboard', 'db', 'sending', 'worker']
    .flatMap((room) => globSync(`${room}/**/*.ts`))
    .filter((path) => !path.startsWith('db/migrations/') && path !== 'db/appointments/slot-holds.ts')
    .filter((path) => /calendar_entry|taken_time/.test(readFileSync(path, 'utf8')));
  expect(reading.toSorted()).toEqual([
    'db/appointments/bookable-service.ts',
    'db/appointments/busy-ranges.ts',
    'db/clinic/find-owner.ts',
  ]);
});
