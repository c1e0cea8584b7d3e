import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { createCallNumberVault } from '../../adapters/call-numbers.ts';
import { createPhoneHash } from '../../adapters/phone-hash.ts';
import { AppointmentEntity } from '../../db/entities/appointment.entity.ts';
import { CallEventEntity } from '../../db/entities/call-event.entity.ts';
import { CallEntity } from '../../db/entities/call.entity.ts';
import { book, change, inHours } from '../support/clinic.ts';
import { openBrowser } from '../support/pages/browser.ts';
import { startTestDashboard, type TestDashboard } from '../support/pages/dashboard-server.ts';
import { problemsOf } from '../support/pages/page-check.ts';
import type { Visitor } from '../support/pages/visitor.ts';
import { TEST_CIPHER } from '../support/servers/api-server.ts';
import { signedIn } from './signed-in.ts';

let dashboard: TestDashboard;
let rita: Visitor;
beforeAll(async () => {
  dashboard = await startTestDashboard();
  rita = await dashboard.person('rita');
});
afterAll(() => dashboard.stop());

const numbers = createCallNumberVault(TEST_CIPHER, createPhoneHash(Buffer.alloc(32, 7)));

/** Each talk takes times of its own. */
let talks = 0;

/** A call in which a time is looked for, booked and moved, as the receptionist of the service speaks and acts. */
async function aTalk(): Promise<{ id: string; booked: string; moved: string }> {
  const { database, clinic } = dashboard;
  const startedAt = new Date(Date.now() - 120_000);
  const em = database.em();
  const id = uuidv7();
  const own = { id, tenantId: clinic.tenantId };
  const sealed = numbers.seal(own, { fromNumber: '+351911111111', toNumber: '+351210000000' });
  const ended = { endedAt: new Date(), outcome: 'booking_created' as const, status: 'completed' as const };
  const rest = { telephonyCallControlId: null, transcriptionWordCount: 12 };
  await em.insert(CallEntity, { ...own, ...sealed, startedAt, ...ended, ...rest });
  talks += 1;
  const startsAt = inHours(50 + 6 * talks);
  const first = await book(database, clinic, { callId: id, startsAt, patientPhoneHash: 'c'.repeat(64) });
  const move = { callId: id, startsAt: inHours(53 + 6 * talks) };
  const { replacement } = await change(database, clinic, first.id, move);
  const moved = replacement?.id ?? '';
  const at = (seconds: number) => new Date(startedAt.getTime() + seconds * 1000);
  await em.nativeUpdate(AppointmentEntity, { id: first.id }, { createdAt: at(45) });
  await em.nativeUpdate(AppointmentEntity, { id: moved }, { createdAt: at(65) });
  const wanted = { serviceTypeId: clinic.serviceTypeId, partOfDay: 'morning', startsAt };
  const found = { items: [{ spoken: 'Tuesday 3 March at 10 in the morning', startsAt }] };
  const refused = { error: 'slot_conflict', message: 'Another patient already has this time.' };
  const events = [
    { eventType: 'speech' as const, transcript: 'I would like a check-up' },
    { eventType: 'tool_call' as const, toolName: 'find_times', toolInput: wanted },
    { eventType: 'tool_result' as const, toolName: 'find_times', toolOutput: found },
    { eventType: 'tool_call' as const, toolName: 'book', toolInput: { patientName: 'Rui Sá', startsAt } },
    { eventType: 'speech' as const, transcript: 'Later would be better' },
    { eventType: 'tool_result' as const, toolName: 'ask_the_moon', toolOutput: refused },
    { eventType: 'speech' as const, transcript: 'Thank you' },
  ];
  await em.insertMany(
    CallEventEntity,
    events.map((event, sequence) => ({
      id: uuidv7(),
      tenantId: clinic.tenantId,
      callId: id,
      sequence,
      occurredAt: at(sequence * 10),
      transcript: null,
      toolName: null,
      toolInput: null,
      toolOutput: null,
      ...event,
    })),
  );
  return { id, booked: first.id, moved };
}

describe('the page of a talk', () => {
  test.each([
    ['en', 'Looks for free times', 'Offered', 'Uses “ask_the_moon”', 'Booked', 'Moved to'],
    ['pt', 'Procura horas livres', 'Ofereceu', 'Usa “ask_the_moon”', 'Marcado para', 'Mudado para'],
  ])(
    'tells in words what was done, in its place, in %s',
    async (language, looked, offered, used, made, moved) => {
      const call = await aTalk();
      const { text } = await rita.get(`/calls/${call.id}`, { 'accept-language': language });
      const order = [
        'I would like a check-up',
        looked,
        'Check-up',
        offered,
        'Tuesday 3 March at 10 in the morning',
        'Rui Sá',
        'Later would be better',
        made,
        call.booked,
        used,
        'Another patient already has this time.',
        'Thank you',
        moved,
        call.moved,
      ];
      const told = text.slice(text.indexOf('class="talk"'));
      const places = order.map((words) => told.indexOf(words));
      expect(places).not.toContain(-1);
      expect(places).toEqual(places.toSorted((one, other) => one - other));
      expect(told).not.toMatch(/&quot;|startsAt|serviceTypeId/);
    },
  );

  test('is accessible at a desk and on a phone', async () => {
    const { id } = await aTalk();
    await using browser = await openBrowser();
    const options = await signedIn(dashboard, 'rita');
    expect(await problemsOf(browser, `${dashboard.url}/calls/${id}`, options)).toEqual([]);
  });

  test('is for those of the clinic alone: support does not read it', async () => {
    const { id, booked } = await aTalk();
    const support = await dashboard.person('sofia');
    const pages = [await support.get(`/calls/${id}`), await support.get(`/support/appointments/${booked}`)];
    expect(pages.map(({ status }) => status)).toEqual([403, 200]);
    for (const { text } of pages) expect(text).not.toMatch(/I would like a check-up|Rui Sá/);
  });

  test('and of its appointment lead to each other', async () => {
    const { id, moved } = await aTalk();
    const { text } = await rita.get(`/appointments/${moved}`);
    expect(text.match(new RegExp(`href="/calls/${id}"`, 'g'))?.length).toBeGreaterThan(1);
    expect((await rita.get(`/calls/${id}`)).text).toContain(`href="/appointments/${moved}"`);
  });
});
