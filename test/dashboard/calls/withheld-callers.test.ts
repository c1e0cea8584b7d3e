import { expect, test } from '@jest/globals';
import { CALL_WORDS } from '../../../dashboard/calls/words.ts';
import { CallEntity } from '../../../db/entities/calls/call.entity.ts';
import { WITHHELD } from '../../../domain/calls/withheld-number.ts';
import { book, inHours } from '../../support/clinic.ts';
import { suiteDashboard } from '../../support/pages/dashboard-server.ts';
import { formOf } from '../../support/pages/visitor.ts';
import { aCall, phoneHash } from './a-call.ts';

const STAND_IN = '+266696687';

const dashboard = await suiteDashboard();
const rita = await dashboard.person('rita');
const { clinic, database } = dashboard;
const patientPhoneHash = phoneHash({ tenantId: clinic.tenantId, e164: STAND_IN });
const wanted = { patientName: 'Rui Costa', patientPhoneHash, startsAt: inHours(30) };
await book(database, clinic, wanted);

/** As a version stored it that took stand-ins for numbers. */
async function aCallFromStandIn(): Promise<string> {
  return aCall(dashboard, { from: STAND_IN, outcome: 'voicemail' });
}

test.each([
  ['a withheld number', () => aCall(dashboard, { from: WITHHELD, outcome: 'voicemail' })],
  ['a stored stand-in', aCallFromStandIn],
])('a call from %s shows no number, no patient and no visit of others', async (_, begin) => {
  const id = await begin();
  for (const address of ['/calls', `/calls/${id}`]) {
    const { text } = await rita.get(address);
    expect(text).toContain(CALL_WORDS.en.withheld);
    for (const word of ['Rui Costa', STAND_IN, 'anonymous', 'tel:']) expect(text).not.toContain(word);
  }
  const { text } = await rita.get(`/appointments/new?call=${id}`);
  for (const word of ['Rui Costa', STAND_IN, 'anonymous']) expect(text).not.toContain(word);
  const list = await rita.get('/calls/csv');
  expect(list.text).toContain(CALL_WORDS.en.withheld);
  expect(list.text).not.toContain(STAND_IN);
});

test('calling one of them back answers no other, and can be taken back', async () => {
  const [one, other] = [await aCallFromStandIn(), await aCallFromStandIn()];
  const done = async () => {
    const calls = await dashboard.database.em().find(CallEntity, { id: { $in: [one, other] } });
    return calls.filter(({ calledBackAt }) => calledBackAt !== null).map(({ id }) => id);
  };
  const press = async (status: string) => {
    const { text } = await rita.get(`/calls/${other}`);
    await rita.post(`/calls/${other}/call-back`, { ...formOf(text, `/calls/${other}/call-back`), status });
  };
  await press('done');
  expect(await done()).toEqual([other]);
  await press('open');
  expect(await done()).toEqual([]);
});
