import { describe, expect, test } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { aStartedCall } from '../calls/call-builders.ts';
import { aFullClinic } from '../db/walls/full-clinic.ts';
import { bookingBody, inHours } from '../support/clinic.ts';
import { suiteApi } from '../support/servers/api-server.ts';
import { createAgent, type ListedTool } from './agent.ts';

const started = new Date();
const api = await suiteApi({ now: () => started });
const clinic = await aFullClinic(api, 'mark');
const agent = createAgent(clinic.client);
const tools = await agent.tools();

let hour = 24 * 40;
const aTime = () => inHours(hour++).toISOString();
const [professionalId, otherId] = clinic.professionalIds;
const aPatient = { patientName: 'Ana Martins', patientPhone: '+351912345678' };
const aSlot = () => ({ professionalId, serviceTypeId: clinic.serviceTypeId, startsAt: aTime() });
const aBookingId = async () => {
  const booked = await clinic.client.post('/v1/appointments', bookingBody(clinic, inHours(hour++)));
  return String(booked.body['id']);
};
await aBookingId();

type Given = Record<string, unknown>;

/** The required arguments of every tool, of its own for each call. */
const REQUIRED: Record<string, (without: string) => Promise<Given>> = {
  briefing: async () => ({ id: clinic.ids.call }),
  list_services: async () => ({}),
  list_professionals: async () => ({}),
  find_times: async (without) =>
    without === 'serviceTypeIds' ? {} : { serviceTypeId: clinic.serviceTypeId },
  find_appointments: async (without) =>
    without === 'patientExternalId' ? {} : { patientPhone: aPatient.patientPhone },
  hold_time: async () => aSlot(),
  book: async () => ({ ...aSlot(), ...aPatient }),
  move: async () => ({ id: await aBookingId(), startsAt: aTime() }),
  cancel: async () => ({ id: await aBookingId() }),
  find: async () => ({ id: clinic.ids.service }),
  appointment_history: async () => ({ id: clinic.ids.appointment }),
  explain_delivery: async () => ({ id: clinic.ids.delivery }),
};

const holdOf = async (given: Given) => (await agent.call('hold_time', { ...aSlot(), ...given })).said['id'];

/** A value for every optional argument. */
const GOOD: Record<string, (given: Given) => unknown> = {
  include: () => 'inactive',
  externalId: uuidv7,
  limit: () => 2,
  cursor: () => 'none',
  serviceTypeId: () => clinic.serviceTypeId,
  serviceTypeIds: () => [clinic.serviceTypeId],
  professionalIds: () => [professionalId, otherId],
  professionalId: () => otherId,
  from: () => inHours(24).toISOString(),
  to: () => inHours(24 * 20).toISOString(),
  weekdays: () => ['tue', 'thu'],
  partOfDay: () => 'afternoon',
  notBefore: () => '09:00',
  notAfter: () => '17:30',
  ignoreAppointmentId: () => clinic.ids.appointment,
  includeHeld: () => true,
  spread: () => 'days',
  locale: () => 'en',
  patientPhone: () => aPatient.patientPhone,
  patientExternalId: () => 'patient-381',
  status: () => 'confirmed',
  ttlSeconds: () => 120,
  callId: () => aStartedCall(clinic.client),
  holdId: holdOf,
  endsAt: ({ startsAt }) => new Date(Date.parse(String(startsAt)) + 2_700_000).toISOString(),
  patientNotes: () => 'Prefers mornings',
  respectHours: () => false,
  reason: () => 'other',
};

/** The same answer again, of another time and appointment. */
function steady({ isError, said }: { isError: boolean; said: unknown }) {
  const text = JSON.stringify({ isError, said })
    .replaceAll(/"(spoken|localStart)":"[^"]*"/g, '"$1":"time"')
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'id')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+/g, 'time');
  return JSON.parse(text) as unknown;
}

const READS = /^(?:list_|find|appointment_history|explain)/;

/** Reading tools answer the same in every word. */
async function ask(name: string, more: (given: Given) => Given | Promise<Given>, without = '') {
  const given = (await REQUIRED[name]?.(without)) ?? {};
  const { [without]: _, ...base } = given;
  const answered = await agent.call(name, { ...base, ...(await more(base)) });
  const { requestId: _id, ...said } = answered.said;
  const answer = { isError: answered.isError, said };
  return READS.test(name) ? answer : steady(answer);
}

function optionalOf({ inputSchema: { properties, required = [] } }: ListedTool): string[] {
  return Object.keys(properties).filter((name) => !required.includes(name));
}

const optional = tools.flatMap((tool) => optionalOf(tool).map((argument) => [tool.name, argument] as const));

test('every tool, and a value of every optional argument, is tried', () => {
  expect(tools.map(({ name }) => name).sort()).toEqual(Object.keys(REQUIRED).sort());
  for (const [, argument] of optional) expect(Object.keys(GOOD)).toContain(argument);
});

describe.each(optional)('%s with %s', (name, argument) => {
  const schema = tools.find((tool) => tool.name === name)?.inputSchema.properties[argument];

  test('null, an empty text and an empty list are as good as nothing', async () => {
    const absent = await ask(name, () => ({}), argument);
    for (const nothing of [null, '', ' ', []])
      expect([nothing, await ask(name, () => ({ [argument]: nothing }), argument)]).toEqual([
        nothing,
        absent,
      ]);
  });

  test('a value as text is the value', async () => {
    const good = async (given: Given) => GOOD[argument]?.(given);
    const asItIs = await ask(name, async (given) => ({ [argument]: await good(given) }), argument);
    const forms: ((value: unknown) => unknown)[] =
      schema?.type === 'array'
        ? [JSON.stringify, String, (value) => (value as string[]).join(', ')]
        : [String];
    for (const asText of forms) {
      const answer = await ask(name, async (given) => ({ [argument]: asText(await good(given)) }), argument);
      expect(answer).toEqual(asItIs);
    }
  });
});

const required = tools.flatMap((tool) =>
  (tool.inputSchema.required ?? []).map((argument) => [tool.name, argument] as const),
);

test.each(required)(
  '%s names %s when it is missing, null or empty, and says what to do next',
  async (name, argument) => {
    for (const value of [undefined, null, '', []]) {
      const { isError, said } = await agent.call(name, {
        ...(await REQUIRED[name]?.('')),
        [argument]: value,
      });
      expect({ isError, ...said }).toMatchObject({
        isError: true,
        error: 'validation_failed',
        errors: [{ path: argument, message: 'is required' }],
        next: expect.stringMatching(/\w{4}/),
      });
    }
  },
);

test('what a tool does not know is ignored and named, at most 100 names of bounded length', async () => {
  const more = { sessionId: 's', toolCallId: 't', status: 'attended', source: 'manual' };
  const booked = await agent.call('book', { ...(await REQUIRED['book']?.('')), ...more });
  expect(booked).toMatchObject({ isError: false, said: { source: 'voice_ai', status: 'confirmed' } });
  expect(booked.said['ignored']).toEqual(Object.keys(more));
  const many = Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`${at}${'x'.repeat(500)}`, at]));
  const { said } = await agent.call('list_services', many);
  expect(said['ignored']).toHaveLength(100);
  expect(JSON.stringify(said['ignored']).length).toBeLessThan(20_000);
  expect((await agent.call('list_services', { limit: 1 })).said).not.toHaveProperty('ignored');
});

test('a number where a text is wanted is its digits', async () => {
  const given = await REQUIRED['book']?.('');
  const booked = await agent.call('book', { ...given, patientExternalId: 381 });
  expect(booked.said).toMatchObject({ patientExternalId: '381' });
});

test.each(['+351 912 345 678', '00351912345678', 'tel:+351-912-345-678', '912 345 678', '(912) 345.678'])(
  'the phone %s is the one of the patient',
  async (patientPhone) => {
    const given = { ...(await REQUIRED['book']?.('')), patientPhone };
    const { said: booked } = await agent.call('book', given);
    const { said: found } = await agent.call('find_appointments', { patientPhone: ' +351912345678' });
    expect(JSON.stringify(found['items'])).toContain(String(booked['id']));
    const again = await agent.call('find_appointments', { patientPhone });
    expect(again.said['items']).toEqual(found['items']);
  },
);

test('arguments that cannot be read are refused by name', async () => {
  const wrong = {
    weekdays: ['someday'],
    limit: 'many',
    includeHeld: 'perhaps',
    notBefore: 'nine',
    from: 'now',
  };
  const { isError, said } = await agent.call('find_times', { serviceTypeId: clinic.serviceTypeId, ...wrong });
  const errors = said['errors'] as { path: string }[];
  expect(isError).toBe(true);
  expect(errors.map(({ path }) => path).sort()).toEqual(
    ['from', 'includeHeld', 'limit', 'notBefore', 'weekdays.0'].sort(),
  );
  expect(JSON.stringify(said)).not.toMatch(/body\.|query\./);
});

test('arguments of null, as text, or none', async () => {
  const calls = [
    {},
    { arguments: null },
    { arguments: '' },
    { arguments: '{}' },
    { arguments: '{"limit":"3"}' },
  ];
  for (const given of calls) {
    const { body } = await agent.ask('tools/call', { name: 'list_services', ...given });
    expect(body).toMatchObject({ result: { structuredContent: { items: expect.any(Array) } } });
  }
});
