import { expect, test } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { aCallBody } from '../calls/call-builders.ts';
import { untilAnswered, type ApiClient } from '../support/api-client.ts';
import { inHours } from '../support/clinic.ts';
import { suiteApi } from '../support/servers/api-server.ts';
import { createAgent, type ToolAnswer } from './agent.ts';

/** Each makes eight requests at once or in turn. */
const AGENTS = Number(process.env['AGENTS'] ?? 40);

const api = await suiteApi();
const { professionalIds, serviceTypeId } = api.clinic;

/** Repeats what an overloaded machine answers with 503, as agents are told to. */
const client: ApiClient = {
  ...api.client,
  post: (...request) => untilAnswered(() => api.client.post(...request)),
};

async function aCall(): Promise<string> {
  const id = uuidv7();
  const start = () => api.client.send('PUT', `/v1/calls/${id}`, { body: aCallBody() });
  expect((await untilAnswered(start)).status).toBeLessThan(300);
  return id;
}

/** Each call is made twice at once, as after a lost answer. */
async function talk(person: number, slot: object) {
  const agent = createAgent(client);
  const callId = await aCall();
  const twice = (name: string, given: object): Promise<[ToolAnswer, ToolAnswer]> =>
    Promise.all([agent.call(name, given), agent.call(name, given)]);
  const held = await twice('hold_time', { ...slot, callId });
  const hold = held.find(({ isError }) => !isError)?.said['id'];
  const patient = {
    patientName: `Patient ${person}`,
    patientPhone: `+351912000${String(person).padStart(3, '0')}`,
  };
  const booked = await twice('book', {
    ...slot,
    ...patient,
    callId,
    ...(hold !== undefined && { holdId: hold }),
  });
  const later = await twice('hold_time', { ...slot, callId });
  return { hold, held, booked, later };
}

const errorsOf = (answers: readonly ToolAnswer[]) =>
  answers.map(({ isError, said }) => (isError ? String(said['error']) : 'done')).sort();

test('a crowd of agents at one slot: one hold, one booking, and only the others hear that it is taken', async () => {
  const slot = { professionalId: professionalIds[0], serviceTypeId, startsAt: inHours(48).toISOString() };
  const talks = await Promise.all(Array.from({ length: AGENTS }, (_, person) => talk(person, slot)));
  const winners = talks.filter(({ hold }) => hold !== undefined);
  expect(winners).toHaveLength(1);
  for (const { hold, held, booked, later } of talks) {
    const isWinner = hold !== undefined;
    expect(errorsOf(held)).toEqual(isWinner ? ['done', 'done'] : ['slot_conflict', 'slot_conflict']);
    expect(errorsOf(booked)).toEqual(
      isWinner ? ['already_booked', 'done'] : ['slot_conflict', 'slot_conflict'],
    );
    const again = isWinner ? 'already_booked' : 'slot_conflict';
    expect(errorsOf(later)).toEqual([again, again]);
    for (const { isError, said } of [...held, ...booked, ...later]) {
      expect(JSON.stringify(said)).not.toMatch(/another patient/i);
      if (isError && said['error'] === 'slot_conflict')
        expect(said).toMatchObject({ alternatives: expect.any(Array), next: expect.stringMatching(/offer/) });
    }
  }
  const { body } = await api.client.get('/v1/appointments');
  expect(body['items']).toHaveLength(1);
});
