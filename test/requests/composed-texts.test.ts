import { expect, test } from '@jest/globals';
import { appointmentContracts } from '../../api/appointments/contract.ts';
import { createImporter } from '../appointments/import/imported-visits.ts';
import { goodBodyFor } from '../support/good-requests.ts';
import { suiteApi } from '../support/servers/api-server.ts';

/** The same name as two systems write it. */
const [COMPOSED, TAKEN_APART] = ['José-1', 'José-1'.normalize('NFD')];

const api = await suiteApi();

test('names and ids of other systems are stored composed, and found however they are written', async () => {
  const ids = { externalId: TAKEN_APART, patientExternalId: TAKEN_APART };
  const body = { ...goodBodyFor(appointmentContracts.bookAppointment, api.clinic), ...ids };
  const booked = await api.client.post('/v1/appointments', {
    ...body,
    startsAt: '2031-03-03T10:00:00Z',
    patientName: TAKEN_APART,
  });
  expect(booked.body).toMatchObject({
    patientName: COMPOSED,
    externalId: COMPOSED,
    patientExternalId: COMPOSED,
  });
  for (const name of ['externalId', 'patientExternalId'])
    for (const written of [COMPOSED, TAKEN_APART]) {
      const { body: page } = await api.client.get('/v1/appointments', { [name]: written });
      expect(page['items']).toMatchObject([{ id: booked.body['id'] }]);
    }
  const search = await api.client.post('/v1/appointments/search', { patientExternalId: TAKEN_APART });
  expect(search.body['items']).toMatchObject([{ id: booked.body['id'] }]);
});

test('an id in a path is that of the same thing', async () => {
  const put = (id: string, body: object) =>
    api.client.send('PUT', `/v1/professionals/by-external-id/${encodeURIComponent(id)}`, { body });
  const made = await put(TAKEN_APART, { name: 'Rui Sá', specialty: 'Orthodontics' });
  expect([made.status, made.body['externalId']]).toEqual([201, COMPOSED]);
  expect((await put(COMPOSED, { title: 'Dr.' })).status).toBe(200);
});

test('an import recognises a visit however its id is written', async () => {
  const importer = createImporter(api.client, api.clinic);
  const visit = importer.aVisit(TAKEN_APART.replace('1', '2'));
  expect(await importer.resultsOf([visit])).toEqual(['created']);
  const again = { ...visit, externalId: COMPOSED.replace('1', '2') };
  expect(await importer.resultsOf([again])).toEqual(['unchanged']);
  const [, second] = await importer.bringIn([{ ...again, patientNotes: 'x' }, visit]);
  expect(second).toMatchObject({ result: 'refused', errors: [{ path: 'body.items.1.externalId' }] });
});
