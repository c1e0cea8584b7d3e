import { expect, test } from '@jest/globals';
import { APPOINTMENT_WORDS } from '../../../dashboard/appointments/words.ts';
import { TIMELINE_WORDS } from '../../../dashboard/appointments/one-appointment/timeline-words.ts';
import { ONE_APPOINTMENT_WORDS } from '../../../dashboard/appointments/appointment-words.ts';
import { ERROR_WORDS } from '../../../dashboard/layout/error-words.ts';
import { uuidv7 } from 'uuidv7';
import type { AppointmentRow } from '../../../db/entities/appointment.entity.ts';
import { openRow } from '../../../db/encryption/field-seal.ts';
import { AppointmentEntity } from '../../../db/entities/appointment.entity.ts';
import { localDayOf } from '../../../domain/clinic/hours/local-day.ts';
import { storeAppointments, storedAppointments } from '../../support/stored/stored-appointments.ts';
import { aClinic, book, change, inHours } from '../../support/clinic.ts';
import { suiteDashboard } from '../../support/pages/dashboard-server.ts';
import { formOf, type Visitor } from '../../support/pages/visitor.ts';

const dashboard = await suiteDashboard();
const { tenantId } = dashboard.clinic;
const { clinic, database } = dashboard;
const rita = await dashboard.person('rita');

const ZONE = 'Europe/Lisbon';
const NEXT_WEEK = inHours(24 * 7);
const dayOf = (at: Date) => localDayOf(at, ZONE).date;

/** One that no one else's day has in it. */
let hours = 24 * 30;
function aBooked(changes: Parameters<typeof book>[2] = {}): Promise<AppointmentRow> {
  hours += 24;
  return book(dashboard.database, dashboard.clinic, { startsAt: inHours(hours), ...changes });
}

function rows(patientName: string): Promise<AppointmentRow[]> {
  return storedAppointments(dashboard.database, { tenantId }, patientName);
}

async function appointment(id: string): Promise<AppointmentRow> {
  const em = dashboard.database.em();
  return openRow(em, 'appointment', await em.findOneOrFail(AppointmentEntity, { id }));
}

/** Fills in the form for a new appointment up to its last button. */
async function filledIn(visitor: Visitor, patientName: string, at: Date) {
  await visitor.get(`/appointments/new?day=${dayOf(at)}`);
  const time = `${at.toISOString()}/${dashboard.clinic.professionalIds[0]}`;
  return { patientName, patientPhone: '+351 912 345 678', patientNotes: 'First visit', time };
}

test('a day shows its appointments as a picture or as a list, and one without any says so', async () => {
  const day = dayOf(NEXT_WEEK);
  await book(database, clinic, { patientName: 'Rui Costa', startsAt: NEXT_WEEK });
  const page = await rita.get(`/appointments?day=${day}`);
  expect(page.text).toContain('Rui Costa');
  expect(page.text).toContain('Check-up');
  expect((await rita.get(`/appointments?day=${day}&view=list`)).text).toContain('>Rui Costa</a>');
  expect((await rita.get('/appointments?day=2001-02-03')).text).toContain('No appointments on this day');
  expect((await rita.get('/appointments?day=2001-02-31')).status).toBe(200);
});

test('a day with more appointments than a page holds goes on, each shown once', async () => {
  const minute = (nr: number) => new Date(Date.parse('2002-03-04T00:00Z') + nr * 60_000);
  const visits = Array.from({ length: 130 }, (_, nr) => ({
    patientName: `Patient ${nr}.`,
    startsAt: minute(nr),
    endsAt: minute(nr + 1),
    source: 'sync_external' as const,
  }));
  await storeAppointments(database, clinic, visits);
  const first = await rita.get('/appointments?day=2002-03-04&view=list');
  const next = /href="(\?[^"]*cursor=[^"]*)"/.exec(first.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const second = await rita.get(`/appointments${next}`);
  const named = [first, second].map(({ text }) => text.match(/Patient \d+\./g) ?? []);
  expect(named.map(({ length }) => length)).toEqual([100, 30]);
  expect(new Set(named.flat()).size).toBe(130);
});

test('an appointment is booked by hand, and says who booked it', async () => {
  const at = inHours(24 * 9);
  const page = await rita.submit('/appointments/new', await filledIn(rita, 'Joana Reis', at));
  const [made] = await rows('Joana Reis');
  expect(page.url.pathname).toBe(`/appointments/${made?.id}`);
  expect(made).toMatchObject({ startsAt: at, source: 'manual', patientNotes: 'First visit' });
  expect(page.text).toContain('Rita Lopes');
  expect(page.text).toContain('Will be marked as a no-show');
});

test('a form that is sent twice, even at once, books once', async () => {
  const at = inHours(24 * 10);
  const fields = await filledIn(rita, 'Twice Sent', at);
  const id = uuidv7();
  const sent = await Promise.all(
    [1, 2, 3].map(async () => {
      const visitor = await dashboard.person('rita');
      await visitor.get(`/appointments/new?day=${dayOf(at)}`);
      return visitor.submit('/appointments/new', { ...fields, id });
    }),
  );
  const [made, ...others] = await rows('Twice Sent');
  expect(sent.map(({ url }) => url.pathname)).toEqual(Array(3).fill(`/appointments/${made?.id}`));
  expect(others).toEqual([]);
});

test('a page that was gone back to books the next patient, not the last one again', async () => {
  const fields = await filledIn(rita, 'Gone Back', inHours(24 * 11));
  const id = uuidv7();
  await rita.submit('/appointments/new', { ...fields, id });
  const next = await filledIn(rita, 'Came Next', inHours(24 * 11 + 1));
  const page = await rita.submit('/appointments/new', { ...next, id });
  expect(page.text).toContain('Came Next');
  expect(await rows('Came Next')).toHaveLength(1);
});

test('a time that someone else took meanwhile is said, and what was typed stays', async () => {
  const at = inHours(24 * 12);
  const fields = await filledIn(rita, 'Too Late', at);
  await book(dashboard.database, dashboard.clinic, { startsAt: at });
  const page = await rita.submit('/appointments/new', fields);
  expect(page.status).toBe(409);
  expect(page.text).toContain(ERROR_WORDS.en.codes.slot_conflict);
  expect(page.text).toContain('value="Too Late"');
  expect(page.text).toContain('First visit</textarea');
  expect(await rows('Too Late')).toEqual([]);
});

test('a form with mistakes says which, and another day keeps what was typed', async () => {
  await rita.get('/appointments/new');
  const page = await rita.submit('/appointments/new', { patientName: ' ', patientPhone: '12 34' });
  expect(page.status).toBe(422);
  for (const wrong of [
    'Choose a time.',
    'Enter a name of 1 to 200 characters.',
    'Enter a valid phone number.',
  ])
    expect(page.text).toContain(wrong);
  const other = await rita.submit('/appointments/new', {
    patientName: 'Still Here',
    step: 'times',
    day: '2099-01-05',
  });
  expect(other.status).toBe(200);
  expect(other.text).toContain('value="Still Here"');
  expect(other.text).toContain('value="2099-01-05"');
});

test('an appointment is moved, once however often it is asked for, and both show the chain', async () => {
  const { id, professionalId, startsAt } = await aBooked();
  const to = new Date(startsAt.getTime() + 2 * 3_600_000);
  const time = `${to.toISOString()}/${professionalId}`;
  await rita.get(`/appointments/${id}/move?day=${dayOf(to)}`);
  const page = await rita.submit(`/appointments/${id}/move`, { time });
  expect(page.url.pathname).not.toBe(`/appointments/${id}`);
  await rita.get(`/appointments/${id}/move?day=${dayOf(to)}`);
  expect((await rita.submit(`/appointments/${id}/move`, { time })).url.pathname).toBe(page.url.pathname);
  const old = await rita.get(`/appointments/${id}`);
  expect(old.text).toContain(ONE_APPOINTMENT_WORDS.en.movedTo);
  expect(old.text).toContain(page.url.pathname);
  expect(page.text).toContain(TIMELINE_WORDS.en.chain);
});

test('a move to a time that is taken is refused, and nothing changes', async () => {
  const { id, professionalId, startsAt } = await aBooked();
  const later = new Date(startsAt.getTime() + 3_600_000);
  const taken = await aBooked({ startsAt: later, patientName: 'Someone else' });
  await rita.get(`/appointments/${id}/move`);
  const page = await rita.submit(`/appointments/${id}/move`, {
    time: `${taken.startsAt.toISOString()}/${professionalId}`,
  });
  expect(page.status).toBe(409);
  expect(page.text).toContain(ERROR_WORDS.en.codes.slot_conflict);
  expect((await rita.get(`/appointments/${id}`)).text).toContain('Booked');
});

test('a patient is checked in, and an appointment is cancelled with its reason', async () => {
  const { id } = await aBooked();
  await rita.get(`/appointments/${id}`);
  expect((await rita.submit(`/appointments/${id}`)).text).toContain('Checked in');
  const other = await aBooked();
  await rita.get(`/appointments/${other.id}`);
  const page = await rita.post(`/appointments/${other.id}`, {
    form_token:
      /name="form_token" value="([^"]*)"/.exec((await rita.get(`/appointments/${other.id}`)).text)?.[1] ?? '',
    status: 'cancelled',
    reason: 'patient_requested',
  });
  expect(page.text).toContain(APPOINTMENT_WORDS.en.reasons.patient_requested);
  expect(page.text).not.toContain(ONE_APPOINTMENT_WORDS.en.cancel.button);
});

test('what the rules do not allow any more is refused in words', async () => {
  const { id } = await aBooked();
  await rita.get(`/appointments/${id}`);
  await change(dashboard.database, dashboard.clinic, id, { status: 'cancelled' });
  const page = await rita.submit(`/appointments/${id}`);
  expect(page.status).toBe(409);
  expect(page.text).toMatch(/Since you opened this page[\s\S]*Cancelled<\/strong>\s+by our technical team/);
});

test('a patient who was checked in meanwhile is not cancelled from an older page, and its reader is told', async () => {
  const { id } = await aBooked();
  const { text } = await rita.get(`/appointments/${id}`);
  const cancel = { ...formOf(text, `/appointments/${id}`), status: 'cancelled', reason: 'patient_requested' };
  const miguel = await dashboard.person('miguel');
  await miguel.get(`/appointments/${id}`);
  await miguel.submit(`/appointments/${id}`);
  const page = await rita.post(`/appointments/${id}`, cancel);
  expect(page.status).toBe(409);
  expect(page.text).toMatch(/Since you opened this page[\s\S]*Checked in<\/strong>\s+by Miguel Sousa/);
  expect(await appointment(id)).toMatchObject({ status: 'attended', version: 2 });
  const again = formOf(page.text, `/appointments/${id}`);
  await rita.post(`/appointments/${id}`, { ...again, status: 'cancelled', reason: 'patient_requested' });
  expect(await appointment(id)).toMatchObject({
    status: 'cancelled',
    cancellationReason: 'patient_requested',
  });
});

test('an older page does not move an appointment that has changed since, and a check-in sent twice is one', async () => {
  const { id, professionalId, startsAt } = await aBooked();
  const to = new Date(startsAt.getTime() - 3_600_000);
  const older = await rita.get(`/appointments/${id}/move?day=${dayOf(to)}`);
  const page = await rita.get(`/appointments/${id}`);
  const checkIn = formOf(page.text, `/appointments/${id}`);
  await Promise.all([1, 2].map(() => rita.post(`/appointments/${id}`, checkIn)));
  expect(await appointment(id)).toMatchObject({ status: 'attended', version: 2 });
  const move = { time: `${to.toISOString()}/${professionalId}`, step: 'move' };
  const refused = await rita.post(
    `/appointments/${id}/move`,
    formOf(older.text, `/appointments/${id}/move`, move),
  );
  expect(refused.status).toBe(409);
  expect(refused.text).toContain('Since you opened this page');
  expect(await appointment(id)).toMatchObject({ status: 'attended' });
});

test('what was settled by mistake is taken back, once however often it is asked for, unless the time is gone', async () => {
  const { id, startsAt } = await aBooked();
  await change(dashboard.database, dashboard.clinic, id, { status: 'cancelled' });
  const { text } = await rita.get(`/appointments/${id}`);
  const action = `/appointments/${id}/take-back`;
  const [first, second] = await Promise.all([1, 2].map(() => rita.post(action, formOf(text, action))));
  expect(first?.text).toContain(TIMELINE_WORDS.en.undone.cancelled);
  expect(second?.url.pathname).toBe(first?.url.pathname);
  const next = String(first?.url.pathname.split('/').pop());
  expect(await appointment(next)).toMatchObject({ status: 'confirmed', startsAt });
  await change(dashboard.database, dashboard.clinic, next, { status: 'cancelled' });
  const old = await rita.get(`/appointments/${next}`);
  await aBooked({ startsAt });
  const taken = `/appointments/${next}/take-back`;
  const refused = await rita.post(taken, formOf(old.text, taken));
  expect(refused.status).toBe(409);
  expect(refused.text).toContain(ERROR_WORDS.en.codes.slot_conflict);
});

test('name, phone and notes are corrected, the phone as it is dialled in the country of the clinic', async () => {
  const { id, patientPhoneHash } = await aBooked({ patientNotes: 'Old notes' });
  const action = `/appointments/${id}/edit`;
  await rita.get(action);
  await rita.submit(action, { patientNotes: '' });
  expect(await appointment(id)).toMatchObject({ patientNotes: null, patientPhoneHash });
  await rita.get(action);
  const wrong = await rita.submit(action, { patientPhone: '12', patientName: 'Dora Pires' });
  expect(wrong.status).toBe(422);
  expect(wrong.text).toContain('value="Dora Pires"');
  const page = await rita.submit(action, { patientPhone: '912 345 678' });
  expect(page.text).toContain('Saved.');
  const hash = dashboard.dependencies.phoneHash({ tenantId, e164: '+351912345678' });
  expect(await appointment(id)).toMatchObject({ patientName: 'Dora Pires', patientPhoneHash: hash });
  expect(page.text).not.toContain('912345678');
});

test.each(['912 345 678', '00351 912 345 678', '+351 (912) 345-678'])(
  'the phone %s is that of a Portuguese patient',
  async (patientPhone) => {
    const at = inHours(24 * 13);
    const patientName = `Dialled ${patientPhone}`;
    await rita.submit('/appointments/new', { ...(await filledIn(rita, patientName, at)), patientPhone });
    const patientPhoneHash = dashboard.dependencies.phoneHash({ tenantId, e164: '+351912345678' });
    const [made] = await rows(patientName);
    expect(made).toMatchObject({ patientPhoneHash });
    await change(dashboard.database, dashboard.clinic, made?.id ?? '', { status: 'cancelled' });
  },
);

test('a script in a name or in notes is only text', async () => {
  const script = '<script>alert(1)</script>';
  const { id, startsAt } = await aBooked({ patientName: script, patientNotes: `</textarea>${script}` });
  for (const address of [
    `/appointments/${id}`,
    `/appointments/${id}/move`,
    `/appointments?day=${dayOf(startsAt)}`,
  ]) {
    const { text } = await rita.get(address);
    expect(text).toContain('&lt;script&gt;alert(1)');
    expect(text).not.toContain('<script>alert');
  }
  await rita.get('/appointments/new');
  const page = await rita.submit('/appointments/new', { patientName: `"><b>`, patientNotes: script });
  expect(page.text).not.toMatch(/<script>alert|"><b>/);
});

test('another clinic’s appointment is not there, and support has no way to it', async () => {
  const other = await aClinic(dashboard.database);
  const { id } = await book(dashboard.database, other);
  for (const address of [`/appointments/${id}`, `/appointments/${id}/move`])
    expect((await rita.get(address)).status).toBe(404);
  const sofia = await dashboard.person('sofia');
  for (const address of ['/appointments', '/appointments/new', `/appointments/${id}`])
    expect((await sofia.get(address)).status).toBe(403);
});

test('the day speaks Portuguese', async () => {
  const { text } = await rita.get('/appointments?day=2001-02-03', { 'accept-language': 'pt' });
  expect(text).toContain(APPOINTMENT_WORDS.pt.none);
  expect(text).toContain('Sábado');
});
