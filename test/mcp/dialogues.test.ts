import { expect, test } from '@jest/globals';
import { aStartedCall } from '../calls/call-builders.ts';
import { createApiClient } from '../support/api-client.ts';
import { aClinic } from '../support/clinic.ts';
import { suiteApi } from '../support/servers/api-server.ts';
import { createAgent, type ToolAnswer } from './agent.ts';

/** A Monday, 10:00 in Lisbon. */
const NOW = new Date('2027-02-01T10:00:00Z');
const OPEN = [['09:00', '18:00']];
const WEEK = { mon: OPEN, tue: OPEN, wed: OPEN, thu: OPEN, fri: OPEN };

const api = await suiteApi({ now: () => NOW });

/** A clinic and a caller of their own for each conversation. */
async function aConversation() {
  const config = { language: 'en', timezone: 'Europe/Lisbon', businessHours: WEEK };
  const clinic = await aClinic(api.database, { professionals: 2, config });
  const { tenantId, serviceTypeId } = clinic;
  const client = createApiClient(api.url, await api.keyOf({ tenantId }));
  const agent = createAgent(client);
  const callId = await aStartedCall(client);
  const [professionalId] = clinic.professionalIds;
  const ana = { patientName: 'Ana Martins', patientPhone: '+351912345678' };
  const at = (startsAt: string) => ({ professionalId, serviceTypeId, startsAt, callId });
  return {
    ana,
    rui: { patientName: 'Rui Martins', patientPhone: '+351912345678' },
    at,
    callId,
    call: agent.call,
    find: (wish: object = {}) =>
      agent.call('find_times', { serviceTypeId, professionalIds: [professionalId], ...wish }),
    book: (startsAt: string, more: object = ana) => agent.call('book', { ...at(startsAt), ...more }),
    hold: (startsAt: string) => agent.call('hold_time', at(startsAt)),
    /** A visit that was booked before the call. */
    async visit(startsAt: string, more: object = ana) {
      const { said } = await agent.call('book', { ...at(startsAt), callId: null, ...more });
      return String(said['id']);
    },
  };
}

type Conversation = Awaited<ReturnType<typeof aConversation>>;

const TUESDAY = '2027-02-02T14:00:00Z';
const WEDNESDAY = '2027-02-03T09:00:00Z';

interface Spoken {
  spoken: string;
  patientName?: string;
  replacement?: Spoken;
}

/** What the agent says by following the result. */
function heard({ isError, said }: ToolAnswer): string {
  const { note, items, status, spoken, replacement, next, error } = said as {
    [member: string]: string;
  } & { items?: Spoken[]; replacement?: Spoken };
  if (isError) return `${error}: ${next}`;
  const times = items?.map((item) => [item.patientName, item.spoken].filter(Boolean).join(' at '));
  if (times) return [note, times.join(' | ') || 'nothing'].filter(Boolean).join(' ');
  return `${status ?? 'held'} ${replacement?.spoken ?? spoken}`;
}

/** What the caller wants; what the agent does, whose last result counts; what the caller hears. */
const DIALOGUES: [string, (it: Conversation) => Promise<ToolAnswer>, RegExp | string][] = [
  ['“As soon as possible.”', (it) => it.find({ limit: 1 }), 'Monday, February 1 at 10:30 AM'],
  [
    '“Tomorrow afternoon.”',
    (it) => it.find({ partOfDay: 'afternoon', from: '2027-02-02T00:00:00Z', limit: 1 }),
    'Tuesday, February 2 at 12:00 PM',
  ],
  [
    '“On a Thursday, before ten.”',
    (it) => it.find({ weekdays: ['thu'], notAfter: '09:59', limit: 2 }),
    'Thursday, February 4 at 9:00 AM | Thursday, February 4 at 9:30 AM',
  ],
  [
    '“After five, because of work.”',
    (it) => it.find({ notBefore: '17:00', limit: 1 }),
    'Monday, February 1 at 5:00 PM',
  ],
  [
    '“I do not mind which day.”',
    (it) => it.find({ spread: 'days', limit: 3 }),
    /Monday.*\| Tuesday.*\| Wednesday/,
  ],
  ['“On Sunday.”', (it) => it.find({ weekdays: 'sun' }), 'nothing'],
  ['“In the evening.”', (it) => it.find({ partOfDay: 'evening' }), 'nothing'],
  [
    '“In a year, in March.”',
    (it) => it.find({ from: '2028-03-01T00:00:00Z', to: '2028-03-08T00:00:00Z', limit: 1 }),
    'Wednesday, March 1, 2028 at 9:00 AM',
  ],
  [
    '“In December”, and the agent thinks it is 2025',
    (it) => it.find({ from: '2025-12-01T00:00:00Z', to: '2025-12-31T00:00:00Z' }),
    /^validation_failed: .*work it out from `now`/,
  ],
  [
    '“This week”, and the agent thinks it is last year',
    (it) => it.find({ from: '2026-02-01T00:00:00Z' }),
    /^validation_failed: .*`now`/,
  ],
  [
    '“From last Monday on”',
    (it) => it.find({ from: '2027-01-25T00:00:00Z', limit: 1 }),
    /^`from` is in the past.* Monday, February 1 at 10:30 AM$/,
  ],
  ['“Tuesday at two, please.”', (it) => it.book(TUESDAY), 'confirmed Tuesday, February 2 at 2:00 PM'],
  [
    '“Tuesday at two”, booked for the year before',
    (it) => it.book('2026-02-02T14:00:00Z'),
    /^starts_in_past: Work the date out again from `now`/,
  ],
  [
    '“Tuesday at two”, without an offset',
    (it) => it.book('2027-02-02T14:00:00'),
    /^validation_failed: .*search with find_times/,
  ],
  [
    '“At eight in the evening.”',
    (it) => it.book('2027-02-02T20:00:00Z'),
    /^outside_hours: .*Offer the alternatives/,
  ],
  ['“On Saturday at ten.”', (it) => it.book('2027-02-06T10:00:00Z'), /^outside_hours: /],
  [
    'a time that someone else has',
    async (it) => {
      await it.visit(TUESDAY, { patientName: 'Eva Reis', patientPhone: '+351911111111' });
      return it.book(TUESDAY);
    },
    /^slot_conflict: .*offer the alternatives/,
  ],
  [
    '“Let me look at my diary”, and then yes',
    async (it) => {
      const { said } = await it.hold(TUESDAY);
      return it.book(TUESDAY, { ...it.ana, holdId: said['id'] });
    },
    'confirmed Tuesday, February 2 at 2:00 PM',
  ],
  [
    'yes after a hold that the agent forgot to name',
    async (it) => {
      await it.hold(TUESDAY);
      return it.book(TUESDAY);
    },
    'confirmed Tuesday, February 2 at 2:00 PM',
  ],
  [
    '“No, rather Wednesday at nine”, after a hold',
    async (it) => {
      await it.hold(TUESDAY);
      await it.hold(WEDNESDAY);
      return it.book(WEDNESDAY);
    },
    'confirmed Wednesday, February 3 at 9:00 AM',
  ],
  [
    'silence, so the agent holds the same time again',
    async (it) => {
      await it.hold(TUESDAY);
      return it.hold(TUESDAY);
    },
    'held Tuesday, February 2 at 2:00 PM',
  ],
  [
    'silence after the booking, so the agent books again',
    async (it) => {
      await it.book(TUESDAY);
      return it.book(TUESDAY);
    },
    /^already_booked: .*already booked.*do not book again/,
  ],
  [
    'silence after the booking, so the agent holds the time again',
    async (it) => {
      await it.book(TUESDAY);
      return it.hold(TUESDAY);
    },
    /^already_booked: /,
  ],
  [
    '“When is my appointment?”',
    async (it) => {
      await it.visit(TUESDAY);
      return it.call('find_appointments', {
        patientPhone: '912 345 678',
        status: 'confirmed',
        from: NOW.toISOString(),
      });
    },
    'Ana Martins at Tuesday, February 2 at 2:00 PM',
  ],
  [
    '“When is our appointment?”, two patients on one phone',
    async (it) => {
      await it.visit(TUESDAY);
      await it.visit(WEDNESDAY, it.rui);
      return it.call('find_appointments', { patientPhone: it.ana.patientPhone });
    },
    'Ana Martins at Tuesday, February 2 at 2:00 PM | Rui Martins at Wednesday, February 3 at 9:00 AM',
  ],
  [
    '“The same time for my son”, on the same phone',
    async (it) => {
      await it.visit(TUESDAY);
      return it.book(TUESDAY, it.rui);
    },
    /^slot_conflict: .*offer the alternatives/,
  ],
  [
    '“Do I have one?”, without any',
    (it) => it.call('find_appointments', { patientPhone: '+351 919 999 999', externalId: null }),
    'nothing',
  ],
  [
    '“Was I there last year?”',
    (it) =>
      it.call('find_appointments', {
        patientPhone: it.ana.patientPhone,
        from: '2026-01-01T00:00:00Z',
        to: '2027-01-01T00:00:00Z',
      }),
    /^This range is in the past.* nothing$/,
  ],
  [
    '“Can I come on Wednesday instead?”',
    async (it) => it.call('move', { id: await it.visit(TUESDAY), startsAt: WEDNESDAY, callId: it.callId }),
    'rescheduled Wednesday, February 3 at 9:00 AM',
  ],
  [
    '“No, back to Tuesday”, with the first ID',
    async (it) => {
      const id = await it.visit(TUESDAY);
      await it.call('move', { id, startsAt: WEDNESDAY });
      return it.call('move', { id, startsAt: TUESDAY });
    },
    /^appointment_rescheduled: .*`rescheduledToId`/,
  ],
  [
    '“Move it to the day before yesterday”',
    async (it) => it.call('move', { id: await it.visit(TUESDAY), startsAt: '2027-01-30T14:00:00Z' }),
    /^starts_in_past: /,
  ],
  [
    '“Please cancel it.”',
    async (it) => it.call('cancel', { id: await it.visit(TUESDAY), reason: '' }),
    'cancelled Tuesday, February 2 at 2:00 PM',
  ],
  [
    '“Cancel it”, said twice',
    async (it) => {
      const id = await it.visit(TUESDAY);
      await it.call('cancel', { id });
      return it.call('cancel', { id });
    },
    'cancelled Tuesday, February 2 at 2:00 PM',
  ],
  [
    '“My number is 91 23.”',
    (it) => it.book(TUESDAY, { ...it.ana, patientPhone: '91 23' }),
    /^validation_failed: Ask the patient for their phone number/,
  ],
  [
    'a withheld number, and no name',
    (it) => it.book(TUESDAY, { patientName: '', patientPhone: 'anonymous' }),
    /^validation_failed: Ask the patient for their full name/,
  ],
  [
    'an ID that the agent made up',
    (it) => it.call('cancel', { id: '01a21d94-5370-7736-b488-821532a205c4' }),
    /^not_found: Do not guess an ID/,
  ],
];

test.each(DIALOGUES)('%s', async (_wish, talk, expected) => {
  const words = heard(await talk(await aConversation()));
  if (typeof expected === 'string') expect(words).toBe(expected);
  else expect(words).toMatch(expected);
});

test('there are thirty and more', () => {
  expect(DIALOGUES.length).toBeGreaterThanOrEqual(30);
});
