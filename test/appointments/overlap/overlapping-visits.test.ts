import { beforeEach, describe, expect, test } from '@jest/globals';
import { bookingBody, inHours } from '../../support/clinic.ts';
import { suiteApi } from '../../support/servers/api-server.ts';
import { createImporter, type Item } from '../import/imported-visits.ts';

const api = await suiteApi();
const importer = createImporter(api.client, api.clinic);
const { professionalIds, serviceTypeId } = api.clinic;

let hours = 24;
let startsAt: string;
beforeEach(() => {
  hours += 4;
  startsAt = inHours(hours).toISOString();
});

function ahead(externalId: string, changes: Item = {}): Item {
  return importer.aVisit(`${externalId}-${hours}`, {
    startsAt,
    status: 'confirmed',
    patientName: externalId,
    ...changes,
  });
}

describe('an import', () => {
  test('takes visits that have ended as they were, and again changes nothing', async () => {
    const at = inHours(-24 * 400 - hours).toISOString();
    const items = ['one', 'two', 'three'].map((name) =>
      importer.aVisit(`${name}-${hours}`, { startsAt: at, patientName: name }),
    );
    expect(await importer.resultsOf(items)).toEqual(['created', 'created', 'created']);
    expect(await importer.resultsOf(items)).toEqual(['unchanged', 'unchanged', 'unchanged']);
    expect(await importer.theOne(`two-${hours}`)).toMatchObject([{ startsAt: at, overlap: false }]);
    const late = bookingBody(api.clinic, new Date(at), { patientName: 'Late' });
    expect((await api.client.post('/v1/appointments', late)).status).toBe(409);
  });

  test('moves and swaps visits that have ended, even over others', async () => {
    const [early, late] = [inHours(-24 * 500 - hours), inHours(-24 * 500 - hours + 1)].map((at) =>
      at.toISOString(),
    );
    const past = (name: string, at: string | undefined, changes: Item = {}) =>
      importer.aVisit(`${name}-${hours}`, { startsAt: at, patientName: name, ...changes });
    await importer.bringIn([past('one', early), past('two', late)]);
    expect(await importer.resultsOf([past('one', late)])).toEqual(['updated']);
    expect(await importer.resultsOf([past('one', early), past('two', early)])).toEqual([
      'updated',
      'updated',
    ]);
    const other = { professionalId: professionalIds[1] };
    expect(await importer.resultsOf([past('one', early, other), past('two', early, other)])).toEqual([
      'updated',
      'updated',
    ]);
  });

  test('books over others ahead if an item says so, in any order', async () => {
    const items = [ahead('over', { overlap: true }), ahead('beneath'), ahead('refused')];
    expect(await importer.resultsOf(items)).toEqual(['created', 'created', 'slot_conflict']);
    expect(await importer.resultsOf(items.slice(0, 2))).toEqual(['unchanged', 'unchanged']);
    expect(await importer.theOne(`over-${hours}`)).toMatchObject([{ overlap: true }]);
    expect(await importer.theOne(`beneath-${hours}`)).toMatchObject([{ overlap: false }]);
  });

  test('cancels a visit at another time, although the patient has one there and the item says overlap', async () => {
    const patient = { patientName: 'The same', patientPhone: '+351961112299' };
    const later = { startsAt: inHours(hours + 1).toISOString() };
    await importer.bringIn([ahead('moved', patient), ahead('stays', { ...patient, ...later })]);
    const cancelled = { ...patient, ...later, status: 'cancelled', overlap: true };
    expect(await importer.resultsOf([ahead('moved', cancelled)])).toEqual(['updated']);
  });

  test('moves and extends over others if an item says so', async () => {
    const later = { startsAt: inHours(hours + 1).toISOString() };
    await importer.bringIn([ahead('first'), ahead('second', later)]);
    expect(await importer.resultsOf([ahead('second')])).toEqual(['slot_conflict']);
    expect(await importer.resultsOf([ahead('second', { overlap: true })])).toEqual(['updated']);
    expect(await importer.theOne(`second-${hours}`)).toMatchObject([{ overlap: true, startsAt }]);
    await importer.bringIn([ahead('third', later)]);
    const longer = { endsAt: inHours(hours + 1.5).toISOString() };
    expect(await importer.resultsOf([ahead('first', longer)])).toEqual(['slot_conflict']);
    expect(await importer.resultsOf([ahead('first', { ...longer, overlap: true })])).toEqual(['updated']);
    expect(await importer.theOne(`first-${hours}`)).toMatchObject([{ overlap: true, ...longer }]);
  });

  test.each([0, 1])(
    'moves one over another that the same request moves there, in any order',
    async (first) => {
      const later = { startsAt: inHours(hours + 1).toISOString() };
      const there = inHours(hours + 2).toISOString();
      await importer.bringIn([ahead('over'), ahead('beneath', later)]);
      const moved = [
        ahead('over', { startsAt: there, overlap: true }),
        ahead('beneath', { startsAt: there }),
      ];
      const items = first === 0 ? moved : moved.toReversed();
      expect(await importer.resultsOf(items)).toEqual(['updated', 'updated']);
      expect(await importer.resultsOf(items)).toEqual(['unchanged', 'unchanged']);
    },
  );

  test('moves and extends one over others that the same request creates there', async () => {
    const later = { startsAt: inHours(hours + 1).toISOString() };
    const longer = { endsAt: inHours(hours + 2).toISOString(), overlap: true };
    await importer.bringIn([ahead('moved'), ahead('longer', later)]);
    const items = [
      ahead('moved', { startsAt: inHours(hours + 3).toISOString(), overlap: true }),
      ahead('beneath', { startsAt: inHours(hours + 3).toISOString() }),
      ahead('in the old place'),
      ahead('longer', { ...later, ...longer }),
      ahead('beneath longer', { startsAt: inHours(hours + 1.5).toISOString() }),
    ];
    const results = ['updated', 'created', 'created', 'updated', 'created'];
    expect(await importer.resultsOf(items)).toEqual(results);
    expect(await importer.resultsOf(items)).toEqual(Array(5).fill('unchanged'));
  });

  test('swaps two columns in which visits overlap', async () => {
    const visits = ['one', 'two'].map((name, at) => ({ name, professionalId: professionalIds[at] }));
    const items = (swap: boolean) =>
      visits.flatMap(({ name, professionalId }) => {
        const column = {
          professionalId: swap ? professionalIds.find((id) => id !== professionalId) : professionalId,
        };
        return [ahead(`over ${name}`, { ...column, overlap: true }), ahead(name, column)];
      });
    expect(await importer.resultsOf(items(false))).toEqual(['created', 'created', 'created', 'created']);
    expect(await importer.resultsOf(items(true))).toEqual(['updated', 'updated', 'updated', 'updated']);
    expect(await importer.resultsOf(items(true))).toEqual(Array(4).fill('unchanged'));
  });

  test('refuses an overlap over a hold, and for a patient who is booked there', async () => {
    const body = { professionalId: professionalIds[0], serviceTypeId, startsAt };
    const held = await api.client.post('/v1/slot-holds', body);
    expect(await importer.resultsOf([ahead('over', { overlap: true })])).toEqual(['slot_conflict']);
    await api.client.delete(`/v1/slot-holds/${String(held.body['id'])}`);
    await importer.bringIn([ahead('there')]);
    const same = ahead('again', { overlap: true, patientName: 'there' });
    expect(await importer.resultsOf([same])).toEqual(['already_booked']);
  });
});
