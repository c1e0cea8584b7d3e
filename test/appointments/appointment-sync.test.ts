import { expect, test } from '@jest/globals';
import { bookAppointment } from '../../commands/appointments/book-appointment.ts';
import { suiteApi } from '../support/servers/api-server.ts';
import { appointmentsIn, nextCursorIn, type ApiAnswer } from '../support/api-client.ts';
import { aBooking, asOperator, book, bookingBody, change, inHours } from '../support/clinic.ts';

let nextHour = 24;

const api = await suiteApi();
const { database, clinic } = api;

function aSlot(): Date {
  nextHour += 1;
  return inHours(nextHour);
}

function updatedSince(mark: string, query: Record<string, string> = {}): Promise<ApiAnswer> {
  return api.client.get('/v1/appointments', { updatedSince: mark, ...query });
}

function markOf({ body }: ApiAnswer): string {
  return String(body['syncedUntil']);
}

test('a transaction that commits behind the reader’s back is found with the mark of the earlier answer', async () => {
  const begun = Promise.withResolvers<void>();
  const letCommit = Promise.withResolvers<void>();
  const slow = database.write(async (em) => {
    const booked = await bookAppointment(em, aBooking(clinic, { startsAt: aSlot() }), asOperator());
    begun.resolve();
    await letCommit.promise;
    return booked.id;
  });
  await begun.promise;
  const fast = await book(database, clinic, { startsAt: aSlot() });
  const first = await updatedSince('2020-01-01T00:00:00Z');
  expect(appointmentsIn(first).map(({ id }) => id)).toEqual([fast.id]);
  letCommit.resolve();
  const slowId = await slow;
  const second = await updatedSince(markOf(first));
  expect(appointmentsIn(second).map(({ id }) => id)).toContain(slowId);
});

test('changes come in the order in which they happened, page by page, under one mark', async () => {
  const since = markOf(await updatedSince('2020-01-01T00:00:00Z'));
  const ids: string[] = [];
  for (let i = 0; i < 5; i += 1) ids.push((await book(database, clinic, { startsAt: aSlot() })).id);
  await change(database, clinic, ids[1] ?? '', { status: 'attended' });
  const seen: string[] = [];
  const marks = new Set<string>();
  let cursor: string | null = null;
  do {
    const page = await updatedSince(since, { limit: '2', ...(cursor !== null && { cursor }) });
    seen.push(...appointmentsIn(page).map(({ id }) => id));
    marks.add(markOf(page));
    cursor = nextCursorIn(page);
  } while (cursor !== null);
  const [a, b, c, d, e] = ids;
  expect(seen.slice(-5)).toEqual([a, c, d, e, b]);
  expect(marks.size).toBe(1);
});

test('a cursor of the other order is refused', async () => {
  const byStart = nextCursorIn(await api.client.get('/v1/appointments', { limit: '1' }));
  const answer = await updatedSince('2020-01-01T00:00:00Z', { cursor: byStart ?? '' });
  expect(answer).toMatchObject({ status: 422, body: { errors: [{ path: 'query.cursor' }] } });
});

test('a patient’s appointments are found by phone, in the clinic of the key only', async () => {
  const patientPhone = '+351961234567';
  const booking = bookingBody(api.clinic, aSlot(), { patientPhone });
  const { body: booked } = await api.client.post('/v1/appointments', booking);
  const found = await api.client.post('/v1/appointments/search', { patientPhone });
  expect(
    appointmentsIn({ ...found, body: { ...found.body, nextCursor: null, hasMore: false } }),
  ).toMatchObject([{ id: booked['id'] }]);
  const cancelled = await api.client.post('/v1/appointments/search', { patientPhone, status: 'cancelled' });
  expect(cancelled.body).toEqual({ items: [], nextCursor: null, hasMore: false });
  expect(api.log.join()).not.toContain('961234567');
});
