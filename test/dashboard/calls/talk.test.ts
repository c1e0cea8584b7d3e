import { describe, expect, test } from '@jest/globals';
import { TRANSCRIPT_WORDS } from '../../../dashboard/calls/transcript-words.ts';
import { CALL_WORDS } from '../../../dashboard/calls/words.ts';
import { uuidv7 } from 'uuidv7';
import { holdSlot } from '../../../commands/appointments/holds/hold-slot.ts';
import { AppointmentEntity } from '../../../db/entities/appointment.entity.ts';
import { AuditEventEntity } from '../../../db/entities/audit-event.entity.ts';
import { sealRow } from '../../../db/encryption/field-seal.ts';
import { CallEventEntity } from '../../../db/entities/calls/call-event.entity.ts';
import { CallEntity, type CallRow } from '../../../db/entities/calls/call.entity.ts';
import { aClinic, asOperator, book, change, inHours } from '../../support/clinic.ts';
import { openBrowser } from '../../support/pages/browser.ts';
import { suiteDashboard } from '../../support/pages/dashboard-server.ts';
import { problemsOf } from '../../support/pages/page-check.ts';
import { formOf } from '../../support/pages/visitor.ts';
import { aCall, phoneHash } from './a-call.ts';
import { signedIn } from '../sessions/signed-in.ts';

const dashboard = await suiteDashboard();
const { database, clinic } = dashboard;
const rita = await dashboard.person('rita');

/** Each talk takes times of its own. */
let talks = 0;

/** A call in which a time is looked for, booked and moved, as the receptionist of the service speaks and acts. */
async function aTalk(): Promise<{ id: string; booked: string; moved: string }> {
  const startedAt = new Date(Date.now() - 120_000);
  const em = database.em();
  const id = await aCall(dashboard, { startedAt, outcome: 'booking_created' });
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
  test.each(['en', 'pt'] as const)('tells in words and in order what was done, in %s', async (language) => {
    const { tools, offered, otherTool, booked: made, moved } = TRANSCRIPT_WORDS[language];
    const [looked, used] = [tools.find_times, otherTool('ask_the_moon')];
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
  });

  test.each(['en', 'pt'] as const)('has caller and receptionist on two sides, in %s', async (language) => {
    const { speakers, tools } = TRANSCRIPT_WORDS[language];
    const id = await aCall(dashboard);
    const line = { tenantId: clinic.tenantId, callId: id, toolInput: null, toolOutput: null };
    const lines = [
      { speaker: null, transcript: 'first of all' },
      { speaker: 'caller' as const, transcript: 'by the caller' },
      { speaker: 'assistant' as const, transcript: 'by the machine' },
      { eventType: 'tool_call' as const, speaker: 'assistant' as const, transcript: null, toolName: 'book' },
      { speaker: 'human' as const, transcript: 'by a person' },
    ];
    await database.em().insertMany(
      CallEventEntity,
      lines.map((said, sequence) => ({
        ...line,
        id: uuidv7(),
        sequence,
        eventType: 'speech' as const,
        toolName: null,
        occurredAt: new Date(),
        ...said,
      })),
    );
    const { text } = await rita.get(`/calls/${id}`, { 'accept-language': language });
    const talk = text.slice(text.indexOf('class="talk"'));
    const sides = Array.from(talk.matchAll(/<li class="([^"]*)">(.*?)<\/li>/gs), ([, side, what = '']) => [
      side,
      what
        .replaceAll(/<time.*|<[^>]*>/gs, '')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    ]);
    expect(sides).toEqual([
      ['said theirs', 'first of all'],
      ['said theirs', `${speakers.caller} by the caller`],
      ['said ours tinted', `${speakers.assistant} by the machine`],
      ['aside', tools.book],
      ['said ours tinted', `${speakers.human} by a person`],
    ]);
  });

  test.each(['en', 'pt'] as const)('shows the evidence of the call, in %s', async (language) => {
    const words = CALL_WORDS[language];
    const id = await aCall(dashboard);
    const mainIn = async () => mainOf(await rita.get(`/calls/${id}`, { 'accept-language': language }));
    const unknown = await mainIn();
    expect(unknown.match(new RegExp(words.notReported, 'g'))).toHaveLength(2);
    expect(unknown).not.toContain(words.summary);
    const evidence = { aiDisclosedAt: new Date(), recordingConsent: 'refused' as const, language: 'pt-PT' };
    const { summary } = await sealRow<CallRow>(database.em(), 'call', {
      ...(await database.em().findOneOrFail(CallEntity, { id })),
      metadata: {},
      summary: 'Marcou <b>uma limpeza</b>',
    });
    await database.em().nativeUpdate(CallEntity, { id }, { ...evidence, summary });
    const told = await mainIn();
    expect(told).not.toContain(words.notReported);
    for (const shown of [words.consents.refused, words.language, 'Marcou &lt;b&gt;uma limpeza&lt;/b&gt;'])
      expect(told).toContain(shown);
  });

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

/** Of a page, without what is around it. */
const mainOf = ({ text }: { text: string }) => text.slice(text.indexOf('<main'));

describe('a caller who waits to be called back', () => {
  const TODO = '/calls?todo=call-back';
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  const audited = (subjectId: string) =>
    dashboard.database.em().find(AuditEventEntity, { subjectId }, { orderBy: { id: 'asc' } });

  test('stands on a list of their own until someone of the clinic has called, once for all their calls', async () => {
    const [from, other] = ['+351922222222', '+351933333333'];
    const first = await aCall(dashboard, { from, outcome: 'abandoned', startedAt: minutesAgo(60) });
    const last = await aCall(dashboard, { from, outcome: 'voicemail', startedAt: minutesAgo(30) });
    const answered = await aCall(dashboard, { from: other, outcome: 'info_only' });
    const old = { outcome: 'handoff_to_human', startedAt: minutesAgo(20 * 24 * 60) } as const;
    const forgotten = await aCall(dashboard, { from: other, ...old });
    const list = mainOf(await rita.get(TODO));
    expect(list).toContain('To call back (2)');
    for (const id of [first, last]) expect(list).toContain(`href="/calls/${id}"`);
    for (const id of [answered, forgotten]) expect(list).not.toContain(id);

    await rita.get(`/calls/${last}`);
    const page = await rita.submit(`/calls/${last}/call-back`);
    expect(page.text).toMatch(/Called back by Rita Lopes, today at/);
    await rita.post(
      `/calls/${last}/call-back`,
      formOf(page.text, `/calls/${last}/call-back`, { status: 'done' }),
    );
    expect(mainOf(await rita.get(TODO))).toContain(CALL_WORDS.en.noneToReturn);
    expect((await rita.get(`/calls/${first}`)).text).toContain('Called back by Rita Lopes');
    expect(await audited(last)).toMatchObject([
      { action: 'call.called_back', actor: expect.stringMatching(/^person:/), details: { calls: 2 } },
    ]);

    await rita.get(`/calls/${last}`);
    const again = await rita.submit(`/calls/${last}/call-back`);
    expect(again.text).toContain(CALL_WORDS.en.callBack.why.voicemail);
    expect((await audited(last)).map(({ action }) => action)).toEqual([
      'call.called_back',
      'call.call_back_reopened',
    ]);
    const reopened = mainOf(await rita.get(TODO));
    expect(reopened).toContain('To call back (2)');
    await rita.get(TODO);
    const cleared = await rita.submit(`/calls/${last}/call-back`);
    expect(cleared.url.pathname + cleared.url.search).toBe(`${TODO}&calledBack=${last}`);
    expect(cleared.text).toContain(CALL_WORDS.en.callBack.doneNow);
    expect(cleared.text).not.toContain(`href="/calls/${last}"`);
  });

  test('is named as the patients with that phone, with the next visit, and a booking begins with name and phone', async () => {
    const from = '+351944444444';
    const patientPhoneHash = phoneHash({ tenantId: clinic.tenantId, e164: from });
    const id = await aCall(dashboard, { from, outcome: 'voicemail' });
    const unknown = await rita.get(`/calls/${id}`);
    expect(unknown.text).toContain(CALL_WORDS.en.unknown);
    const next = await book(database, clinic, {
      patientName: 'Eva Luz',
      patientPhoneHash,
      startsAt: inHours(400),
    });
    const { text } = await rita.get(`/calls/${id}`);
    expect(text).toMatch(/<h1>Call from Eva Luz<\/h1>/);
    expect(text).toContain(`href="/appointments/${next.id}"`);
    const address = /href="(\/appointments\/new[^"]*)"/.exec(text)?.[1] ?? '';
    expect(address).not.toContain('944444444');
    const form = await rita.get(address);
    expect(formOf(form.text, '/appointments/new')).toMatchObject({
      patientName: 'Eva Luz',
      patientPhone: from,
    });

    await book(database, clinic, { patientName: 'Ivo Luz', patientPhoneHash, startsAt: inHours(420) });
    expect((await rita.get(TODO)).text).toContain('Ivo Luz or Eva Luz');
    const family = formOf((await rita.get(address)).text, '/appointments/new');
    expect(family).toMatchObject({ patientName: '', patientPhone: from });

    const elsewhere = await aClinic(database);
    const theirs = await aCall(dashboard, { from, tenantId: elsewhere.tenantId });
    const empty = await rita.get(`/appointments/new?call=${theirs}`);
    expect(formOf(empty.text, '/appointments/new')).toMatchObject({ patientName: '', patientPhone: '' });
  });
});

test('a time that was kept in a call stands in the talk, and what the call was for the machine is for those alone who look after it', async () => {
  const id = await aCall(dashboard, { outcome: null });
  const [professionalId = ''] = clinic.professionalIds;
  const slot = { tenantId: clinic.tenantId, professionalId, serviceTypeId: clinic.serviceTypeId };
  const wanted = { ...slot, startsAt: inHours(500), callId: id, mayBackdate: false };
  await database.write((em) => holdSlot(em, wanted, asOperator()));
  const { text } = await rita.get(`/calls/${id}`);
  expect(text).toMatch(/<li class="tinted good">\s*<strong>Held<\/strong>/);
  expect(mainOf({ text })).not.toMatch(/carrier-1|<code>/);
  expect((await (await dashboard.person('ana')).get(`/calls/${id}`)).text).toContain('carrier-1');
});

test('a time that is none, as a model may make it up, stands in the talk as it was said', async () => {
  const id = await aCall(dashboard, { outcome: null });
  const [asked, found] = ['2026-12-01T10:00 or later', '2026-02-28T25:61'];
  const of = { tenantId: clinic.tenantId, callId: id, occurredAt: new Date(), transcript: null };
  await database.em().insertMany(CallEventEntity, [
    {
      ...of,
      id: uuidv7(),
      sequence: 1,
      eventType: 'tool_call',
      toolName: 'find_times',
      toolInput: { from: asked },
      toolOutput: null,
    },
    {
      ...of,
      id: uuidv7(),
      sequence: 2,
      eventType: 'tool_result',
      toolName: 'find_times',
      toolInput: null,
      toolOutput: { startsAt: found },
    },
  ]);
  const { status, text } = await rita.get(`/calls/${id}`);
  expect(status).toBe(200);
  for (const said of [asked, found]) expect(text).toContain(said);
});
