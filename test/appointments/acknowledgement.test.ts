import { describe, expect, test } from '@jest/globals';
import { SCOPES } from '../../domain/clinic/api-scopes.ts';
import { appointmentIn, createApiClient, wrongPathsIn, type ApiAnswer } from '../support/api-client.ts';
import { book, change, inHours } from '../support/clinic.ts';
import { suiteApi } from '../support/servers/api-server.ts';
import { storedEvents } from '../support/stored/stored-events.ts';
import { createImporter, type Item } from './import/imported-visits.ts';

const api = await suiteApi();
const { client, database, clinic } = api;
const importer = createImporter(client, clinic);
const blind = createApiClient(
  api.url,
  await api.keyOf({ scopes: SCOPES.filter((scope) => scope !== 'appointments:read') }),
);

let hour = 100;

async function anAppointment(): Promise<string> {
  hour += 1;
  const { id } = await book(database, clinic, { startsAt: inHours(hour) });
  return id;
}

/** One of three versions. */
async function editedTwice(): Promise<string> {
  const id = await anAppointment();
  for (const patientNotes of ['first', 'second']) await change(database, clinic, id, { patientNotes });
  return id;
}

function acknowledge(id: string, body: Item, by = client): Promise<ApiAnswer> {
  return by.send('PUT', `/v1/appointments/${id}/acknowledgement`, { body });
}

async function acknowledgementOf(id: string) {
  return appointmentIn(await client.get(`/v1/appointments/${id}`)).acknowledgement;
}

const AT = expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/);

describe('an acknowledgement', () => {
  test('is shown with the appointment, which stays as it is', async () => {
    const id = await anAppointment();
    const before = appointmentIn(await client.get(`/v1/appointments/${id}`));
    expect(before.acknowledgement).toBeNull();
    const { status, body } = await acknowledge(id, { version: 1, state: 'written' });
    expect({ status, body }).toEqual({
      status: 200,
      body: { version: 1, state: 'written', reason: null, at: AT },
    });
    const after = await client.get(`/v1/appointments/${id}`);
    expect(after.body).toEqual({ ...before, acknowledgement: body });
    expect(await storedEvents(database, { appointmentId: id })).toHaveLength(1);
  });

  test('of an older version changes nothing, and is answered with what is stored', async () => {
    const id = await editedTwice();
    const stored = await acknowledge(id, { version: 2, state: 'refused', reason: 'Patient unknown' });
    for (const state of ['written', 'refused']) {
      const older = await acknowledge(id, { version: 1, state });
      expect([older.status, older.body]).toEqual([200, stored.body]);
    }
    expect(await acknowledgementOf(id)).toEqual(stored.body);
    await acknowledge(id, { version: 3, state: 'written' });
    expect(await acknowledgementOf(id)).toMatchObject({ version: 3, state: 'written', reason: null });
  });

  test('of the same version counts when it is later, and a repeat keeps its time', async () => {
    const id = await anAppointment();
    const refused = { version: 1, state: 'refused', reason: 'Chair 4 is unknown' };
    const first = await acknowledge(id, refused);
    expect((await acknowledge(id, refused)).body).toEqual(first.body);
    await acknowledge(id, { version: 1, state: 'written' });
    expect(await acknowledgementOf(id)).toMatchObject({ state: 'written', reason: null });
    await acknowledge(id, { version: 1, state: 'refused' });
    expect(await acknowledgementOf(id)).toMatchObject({ state: 'refused', reason: null });
  });

  test.each(['attended', 'cancelled', 'rescheduled', 'no_show'] as const)(
    'is taken for a status of %s',
    async (status) => {
      hour += 1;
      const past = { startsAt: inHours(-hour), mayBackdate: true };
      const { id } = await book(database, clinic, status === 'no_show' ? past : { startsAt: inHours(hour) });
      const settled = status === 'rescheduled' ? { startsAt: inHours(++hour) } : { status };
      await change(database, clinic, id, { ...settled, mayBackdate: true });
      expect((await acknowledge(id, { version: 2, state: 'written' })).status).toBe(200);
    },
  );

  test('stays with a moved appointment, and its replacement starts without', async () => {
    const id = await anAppointment();
    const { body: stored } = await acknowledge(id, { version: 1, state: 'written' });
    hour += 1;
    const moved = await client.patch(`/v1/appointments/${id}`, { startsAt: inHours(hour).toISOString() });
    expect(moved.body).toMatchObject({ acknowledgement: stored, replacement: { acknowledgement: null } });
    expect(await acknowledgementOf(id)).toEqual(stored);
  });

  test('is kept by changes of every kind', async () => {
    const visit = importer.aVisit('acknowledged');
    const id = await importer.idOf(visit);
    const { body: stored } = await acknowledge(id, { version: 1, state: 'refused', reason: 'Later' });
    await client.patch(`/v1/appointments/${id}`, { patientNotes: 'Prefers mornings' });
    await client.patch(`/v1/appointments/${id}`, { patientName: 'Ana Lopes' });
    await importer.resultsOf([{ ...visit, patientName: 'Ana Maria Lopes' }]);
    expect(await acknowledgementOf(id)).toEqual(stored);
  });
});

describe('a wrong acknowledgement is refused', () => {
  test.each<[string, Item, string]>([
    ['of a version that does not exist yet', { version: 2, state: 'written' }, 'body.version'],
    ['of version 0', { version: 0, state: 'written' }, 'body.version'],
    ['as written with a reason', { version: 1, state: 'written', reason: 'Done' }, 'body.reason'],
    ['with a long reason', { version: 1, state: 'refused', reason: 'x'.repeat(501) }, 'body.reason'],
    ['with another state', { version: 1, state: 'maybe' }, 'body.state'],
  ])('%s', async (_what, body, path) => {
    const id = await anAppointment();
    const answer = await acknowledge(id, body);
    expect([answer.status, wrongPathsIn(answer)]).toEqual([422, [path]]);
    expect(await acknowledgementOf(id)).toBeNull();
  });

  test('of an appointment of another clinic', async () => {
    const answer = await acknowledge('0195571c-5a60-7a3e-9f00-2f5d1c9b7a20', {
      version: 1,
      state: 'written',
    });
    expect(answer.status).toBe(404);
  });
});

test('a key that may not read appointments sees only the reason that it sent', async () => {
  const id = await editedTwice();
  const own = { version: 2, state: 'refused', reason: 'Ana is blocked' };
  expect((await acknowledge(id, own, blind)).body).toMatchObject(own);
  const reason = 'Zulmira is blocked';
  await acknowledge(id, { ...own, version: 3, reason });
  for (const said of ['another', null]) {
    const answer = await acknowledge(id, { ...own, reason: said }, blind);
    expect(answer.body).toMatchObject({ version: 3, reason: null });
  }
  const changed = await blind.patch(`/v1/appointments/${id}`, { patientNotes: 'third' });
  expect(changed.body['acknowledgement']).toBeNull();
});

describe('the filter `acknowledged`', () => {
  test('tells those whose latest version is written from the others', async () => {
    const externalId = 'filtered';
    const patch = { patientExternalId: externalId };
    const [never = '', older = '', refused = '', written = ''] = await Promise.all(
      [1, 2, 3, 4].map(anAppointment),
    );
    for (const id of [never, older, refused, written]) await change(database, clinic, id, patch);
    await acknowledge(older, { version: 1, state: 'written' });
    await acknowledge(refused, { version: 2, state: 'refused' });
    await acknowledge(written, { version: 2, state: 'written' });
    const listed = async (query: Record<string, string>) => {
      const { body } = await client.get('/v1/appointments', { patientExternalId: externalId, ...query });
      return (body['items'] as { id: string }[]).map(({ id }) => id).toSorted();
    };
    const others = [never, older, refused].toSorted();
    const inEachOrder: Record<string, string>[] = [{}, { updatedSince: '2000-01-01T00:00:00Z' }];
    for (const more of inEachOrder) {
      expect(await listed({ acknowledged: 'true', ...more })).toEqual([written]);
      expect(await listed({ acknowledged: 'false', ...more })).toEqual(others);
      expect(await listed({ ...more })).toEqual([...others, written].toSorted());
    }
    expect((await client.get('/v1/appointments', { acknowledged: 'yes' })).status).toBe(422);
  });
});

test('the reason is encrypted', async () => {
  const id = await anAppointment();
  await acknowledge(id, { version: 1, state: 'refused', reason: 'Zulmira is unknown' });
  const rows = await database
    .em()
    .execute<{ refusal_reason: string }[]>('SELECT refusal_reason FROM calendar_entry WHERE id = ?', [id]);
  expect(rows).toEqual([{ refusal_reason: expect.stringMatching(/^v\d\./) }]);
});
