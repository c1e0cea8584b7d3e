import { describe, expect, test } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { setEligibleProfessionals } from '../../../db/clinic/services.ts';
import { ProfessionalEntity } from '../../../db/entities/professional.entity.ts';
import { ServiceTypeEntity } from '../../../db/entities/service-type.entity.ts';
import { createApiClient, wrongPathsIn } from '../../support/api-client.ts';
import { aClinic, bookingBody } from '../../support/clinic.ts';
import { suiteApi } from '../../support/servers/api-server.ts';

/** A Sunday. */
const NOW = new Date('2026-03-01T12:00:00Z');

let ana = '';
let rui = '';

/** Open on weekdays from 9 to 20. Ana and Rui offer the half-hour check-up, Rui alone the cleaning of an hour. */
const api = await suiteApi({ now: () => NOW });
const day = [['09:00', '20:00']];
const businessHours = { mon: day, tue: day, wed: day, thu: day, fri: day };
const clinic = await aClinic(api.database, { professionals: 2, config: { businessHours } });
const client = createApiClient(api.url, await api.keyOf({ tenantId: clinic.tenantId }));
[ana = '', rui = ''] = clinic.professionalIds;
const cleaning = uuidv7();
await api.database.write(async (em) => {
  await em.nativeUpdate(
    ProfessionalEntity,
    { id: rui },
    { name: 'Rui', workingHours: { tue: [['09:00', '20:00']] } },
  );
  const { tenantId } = clinic;
  await em.insert(ServiceTypeEntity, { id: cleaning, tenantId, name: 'Cleaning', durationMinutes: 60 });
  await setEligibleProfessionals(em, { tenantId, id: cleaning }, [rui]);
});

interface Found {
  professionalId: string;
  professionalName: string;
  serviceTypeId: string;
  startsAt: string;
  endsAt: string;
  localStart: string;
  spoken: string;
}

async function search(body: Record<string, unknown>): Promise<Found[]> {
  const answer = await client.post('/v1/availability/search', {
    serviceTypeId: clinic.serviceTypeId,
    ...body,
  });
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return answer.body['items'] as Found[];
}

/** Of a professional, on the days of March: `02T09:00`. */
async function starts(body: Record<string, unknown>): Promise<string[]> {
  const found = await search({ professionalIds: [ana], ...body });
  return found.map(({ startsAt }) => startsAt.slice(8, 16));
}

describe('what is found', () => {
  test('are the soonest three, in words that can be read aloud', async () => {
    const found = await search({});
    expect(found).toHaveLength(3);
    expect(found[0]).toEqual({
      professionalId: ana,
      professionalName: 'Ana',
      serviceTypeId: clinic.serviceTypeId,
      startsAt: '2026-03-02T09:00:00.000Z',
      endsAt: '2026-03-02T09:30:00.000Z',
      localStart: '2026-03-02T09:00:00+00:00',
      spoken: 'segunda-feira, 2 de março às 9:00',
    });
  });

  test('is said in the language that is asked for, or that the clinic speaks', async () => {
    const said = async (body = {}) => (await search({ limit: 1, ...body }))[0]?.spoken;
    expect(await said({ locale: 'de-AT' })).toBe('Montag, 2. März um 9:00');
    await client.patch('/v1/tenants/me', { config: { language: 'en' } });
    expect(await said()).toBe('Monday, March 2 at 9:00 AM');
    await client.patch('/v1/tenants/me', { config: { language: null } });
  });

  test.each([
    [{ weekdays: ['thu', 'wed'] }, ['04T09:00', '04T09:30', '04T10:00']],
    [{ partOfDay: 'morning', notBefore: '11:30' }, ['02T11:30', '03T11:30', '04T11:30']],
    [{ partOfDay: 'afternoon' }, ['02T12:00', '02T12:30', '02T13:00']],
    [{ partOfDay: 'evening' }, ['02T18:00', '02T18:30', '02T19:00']],
    [{ notBefore: '18:30', notAfter: '18:30' }, ['02T18:30', '03T18:30', '04T18:30']],
    [{ notAfter: '09:29' }, ['02T09:00', '03T09:00', '04T09:00']],
    [{ notBefore: '10:00', partOfDay: 'evening', weekdays: ['fri'], limit: 1 }, ['06T18:00']],
    [{ partOfDay: 'morning', notBefore: '13:00' }, []],
    [{ weekdays: ['sat', 'sun'] }, []],
    [{ from: '2026-03-10T10:10:00Z', limit: 1 }, ['10T10:30']],
    [{ from: '2026-01-01T00:00:00Z', to: '2026-03-02T09:30:00Z' }, ['02T09:00']],
    [{ limit: 20, to: '2026-03-02T10:00:00Z' }, ['02T09:00', '02T09:30']],
    [{ spread: 'days' }, ['02T09:00', '03T09:00', '04T09:00']],
    [{ spread: 'days', to: '2026-03-04T00:00:00Z' }, ['02T09:00', '02T09:30', '03T09:00']],
    [
      { spread: 'days', weekdays: ['tue'], partOfDay: 'evening', limit: 4 },
      ['03T18:00', '03T18:30', '10T18:00', '10T18:30'],
    ],
  ])('for %j are %j', async (wish, expected) => {
    expect(await starts(wish)).toEqual(expected);
  });

  test('covers 14 days by default and 62 at most', async () => {
    const tuesdays = { serviceTypeIds: [cleaning], serviceTypeId: undefined, spread: 'days', limit: 20 };
    const dates = async (body = {}) =>
      new Set((await search({ ...tuesdays, ...body })).map(({ startsAt }) => startsAt.slice(5, 10)));
    expect(await dates()).toEqual(new Set(['03-03', '03-10']));
    expect(await dates({ to: '2026-05-02T12:00:00Z' })).toEqual(
      new Set(['03-03', '03-10', '03-17', '03-24', '03-31', '04-07', '04-14', '04-21', '04-28']),
    );
  });

  test('may be of several services and professionals, each by who offers it', async () => {
    const either = { serviceTypeId: undefined, serviceTypeIds: [cleaning, clinic.serviceTypeId] };
    const found = await search({
      ...either,
      weekdays: ['tue'],
      notAfter: '09:00',
      to: '2026-03-08T00:00:00Z',
    });
    const offered = found.map(({ professionalName, serviceTypeId }) => [professionalName, serviceTypeId]);
    const all = [
      ['Ana', clinic.serviceTypeId],
      ['Rui', clinic.serviceTypeId],
      ['Rui', cleaning],
    ];
    expect(offered.map(String).sort()).toEqual(all.map(String).sort());
    expect(await search({ ...either, serviceTypeIds: [cleaning], professionalIds: [ana] })).toEqual([]);
  });

  test('counts the time of an appointment that is to be moved as free', async () => {
    const startsAt = '2026-03-05T09:00:00.000Z';
    const { body } = await client.post('/v1/appointments', bookingBody(clinic, new Date(startsAt)));
    const thursday = { weekdays: ['thu'], limit: 1 };
    expect(await starts(thursday)).toEqual(['05T09:30']);
    expect(await starts({ ...thursday, ignoreAppointmentId: body['id'] })).toEqual(['05T09:00']);
    await client.delete(`/v1/appointments/${String(body['id'])}`);
  });

  test('is what the list of free slots has', async () => {
    const range = { from: '2026-03-03T00:00:00Z', to: '2026-03-04T00:00:00Z' };
    const { body } = await client.get('/v1/availability', { serviceTypeId: clinic.serviceTypeId, ...range });
    const listed = body['items'] as Found[];
    expect(await search({ ...range, limit: 20 })).toMatchObject(listed.slice(0, 20));
  });
});

describe('a search is refused by the field', () => {
  const unknown = uuidv7();

  test.each([
    [{ serviceTypeId: undefined }, 'serviceTypeId'],
    [{ serviceTypeIds: [unknown] }, 'serviceTypeId'],
    [{ serviceTypeId: unknown }, 'serviceTypeId'],
    [{ serviceTypeId: undefined, serviceTypeIds: [unknown] }, 'serviceTypeIds.0'],
    [{ serviceTypeId: undefined, serviceTypeIds: [] }, 'serviceTypeIds'],
    [{ professionalIds: [unknown] }, 'professionalIds.0'],
    [{ ignoreAppointmentId: unknown }, 'ignoreAppointmentId'],
    [{ from: '2026-03-05T00:00:00Z', to: '2026-03-05T00:00:00Z' }, 'to'],
    [{ to: '2026-02-01T00:00:00Z' }, 'to'],
    [{ to: '2026-05-02T12:00:00.001Z' }, 'to'],
    [{ from: '2026-04-01T00:00:00Z', to: '2026-06-02T00:00:01Z' }, 'to'],
    [{ weekdays: ['monday'] }, 'weekdays.0'],
    [{ weekdays: [] }, 'weekdays'],
    [{ partOfDay: 'night' }, 'partOfDay'],
    [{ notBefore: '9:00' }, 'notBefore'],
    [{ notBefore: '24:00' }, 'notBefore'],
    [{ notBefore: '12:00', notAfter: '11:59' }, 'notAfter'],
    [{ limit: 21 }, 'limit'],
    [{ limit: 0 }, 'limit'],
    [{ spread: 'weeks' }, 'spread'],
    [{ locale: 'it' }, 'locale'],
  ])('%j: %s', async (wrong, path) => {
    const body = { serviceTypeId: clinic.serviceTypeId, ...wrong };
    const answer = await client.post('/v1/availability/search', body);
    expect([answer.status, wrongPathsIn(answer)]).toEqual([422, [`body.${path}`]]);
  });
});

describe('alternatives', () => {
  const refusal = async (startsAt: string, professionalId: string, serviceTypeId = clinic.serviceTypeId) => {
    const wanted = { professionalId, serviceTypeId, respectHours: true };
    const { body } = await client.post('/v1/appointments', bookingBody(clinic, new Date(startsAt), wanted));
    return (body['alternatives'] as Found[]).map((slot) => [
      slot.professionalName,
      slot.startsAt.slice(8, 16),
      slot.spoken,
    ]);
  };

  test('are of the asked professional, in words', async () => {
    expect(await refusal('2026-03-03T08:00:00Z', rui)).toEqual([
      ['Rui', '03T09:00', 'terça-feira, 3 de março às 9:00'],
      ['Rui', '03T09:30', 'terça-feira, 3 de março às 9:30'],
      ['Rui', '03T10:00', 'terça-feira, 3 de março às 10:00'],
    ]);
  });

  test('are of others too when the asked one has none within two days', async () => {
    const found = await refusal('2026-03-06T09:00:00Z', rui);
    expect(found.map(([name, at]) => [name, at])).toEqual([
      ['Ana', '06T09:00'],
      ['Ana', '06T09:30'],
      ['Ana', '06T10:00'],
    ]);
    const offGrid = await refusal('2026-03-06T09:07:00Z', rui);
    expect(offGrid.map(([name, at]) => [name, at])).toEqual([
      ['Ana', '06T09:00'],
      ['Ana', '06T09:07'],
      ['Ana', '06T09:30'],
    ]);
  });

  test('begin with the same time with someone else, on the grid or off it', async () => {
    for (const startsAt of ['2026-03-10T10:00:00Z', '2026-03-10T14:07:00Z']) {
      const other = { professionalId: rui, patientName: 'Someone Else' };
      const body = bookingBody(clinic, new Date(startsAt), other);
      expect((await client.post('/v1/appointments', body)).status).toBe(201);
      const found = await refusal(startsAt, rui);
      expect(found).toHaveLength(3);
      expect(found.filter(([name]) => name === 'Ana').map(([, at]) => at)).toEqual([startsAt.slice(8, 16)]);
    }
  });

  test('are the next of the asked one when no one else offers the service', async () => {
    const found = await refusal('2026-03-06T09:00:00Z', rui, cleaning);
    expect(found.map(([name, at]) => [name, at])).toEqual([
      ['Rui', '03T17:00'],
      ['Rui', '03T18:00'],
      ['Rui', '03T19:00'],
    ]);
  });
});
