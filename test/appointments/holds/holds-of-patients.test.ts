import { describe, expect, test } from '@jest/globals';
import { bookAppointment } from '../../../commands/appointments/book-appointment.ts';
import { holdSlot } from '../../../commands/appointments/holds/hold-slot.ts';
import type { BookAppointment } from '../../../commands/appointments/plan-booking.ts';
import { findLiveHold } from '../../../db/appointments/slot-holds.ts';
import type { SlotHold } from '../../../domain/appointments/slot-hold.ts';
import { ServiceError } from '../../../domain/service-error.ts';
import { aBooking, asOperator, book, bookingBody, change, inHours } from '../../support/clinic.ts';
import { askAgainWhenBusy } from '../../support/lock-waits.ts';
import { suiteApi } from '../../support/servers/api-server.ts';

const api = await suiteApi();
const { tenantId, professionalIds, serviceTypeId } = api.clinic;

const asPatient = () => ({ ...asOperator(), actor: 'patient' });

let hours = 24;
/** A time of its own for each test. */
function aTime(): Date {
  hours += 3;
  return inHours(hours);
}

function heldByPatient(startsAt: Date, endsAt?: Date): Promise<SlotHold> {
  const professionalId = professionalIds[0] ?? '';
  const slot = { tenantId, professionalId, serviceTypeId, startsAt, endsAt, mayBackdate: false };
  return api.database.write((em) => holdSlot(em, slot, asPatient()));
}

function bookAsPatient(changes: Partial<BookAppointment>) {
  const booking = aBooking(api.clinic, { source: 'self_service', patientName: 'On the page', ...changes });
  return api.database.write((em) => bookAppointment(em, booking, asPatient()));
}

async function isHeld({ id, tenantId }: SlotHold): Promise<boolean> {
  return (await findLiveHold(api.database.em(), tenantId, id)) !== null;
}

const HALF_HOUR_MS = 1_800_000;
const after = (startsAt: Date) => new Date(startsAt.getTime() + HALF_HOUR_MS);

describe('a time that a patient holds', () => {
  test('is free for availability, searches and alternatives', async () => {
    const startsAt = aTime();
    await heldByPatient(startsAt);
    const query = { serviceTypeId, from: startsAt.toISOString(), to: after(startsAt).toISOString() };
    for (const includeHeld of ['false', 'true']) {
      const { body } = await api.client.send('GET', '/v1/availability', { query: { ...query, includeHeld } });
      expect(JSON.stringify(body)).toContain(startsAt.toISOString());
      expect(JSON.stringify(body)).not.toContain('heldUntil');
    }
    const found = await api.client.post('/v1/availability/search', { ...query, limit: 20 });
    expect(found.text).toContain(startsAt.toISOString());
    await book(api.database, api.clinic, { startsAt: after(startsAt) });
    const refused = await api.client.post('/v1/appointments', bookingBody(api.clinic, after(startsAt)));
    expect(refused.status).toBe(409);
    expect(refused.text).toContain(startsAt.toISOString());
  });

  const takes: [string, (startsAt: Date) => Promise<{ status: number }>][] = [
    ['a booking', (startsAt) => api.client.post('/v1/appointments', bookingBody(api.clinic, startsAt))],
    [
      'a hold',
      (startsAt) => {
        const slot = { professionalId: professionalIds[0], serviceTypeId, startsAt: startsAt.toISOString() };
        return api.client.post('/v1/slot-holds', slot);
      },
    ],
    [
      'a move',
      async (startsAt) => {
        const { id } = await book(api.database, api.clinic, { startsAt: aTime() });
        return api.client.patch(`/v1/appointments/${id}`, { startsAt: startsAt.toISOString() });
      },
    ],
    [
      'an appointment before it that becomes longer',
      async (startsAt) => {
        const before = new Date(startsAt.getTime() - HALF_HOUR_MS);
        const { id } = await book(api.database, api.clinic, { startsAt: before });
        return api.client.patch(`/v1/appointments/${id}`, { endsAt: after(startsAt).toISOString() });
      },
    ],
    [
      'an import',
      (startsAt) => {
        const visit = { ...bookingBody(api.clinic, startsAt), externalId: startsAt.toISOString() };
        return api.client.post('/v1/appointments/import', { items: [visit] });
      },
    ],
  ];

  test.each(takes)('goes to %s of a key, and its hold has ended', async (_, take) => {
    const startsAt = aTime();
    const hold = await heldByPatient(startsAt);
    const { status } = await take(startsAt);
    expect([200, 201]).toContain(status);
    expect(await isHeld(hold)).toBe(false);
    await expect(bookAsPatient({ startsAt, holdId: hold.id })).rejects.toMatchObject({
      code: 'hold_expired',
    });
  });

  test('goes to an appointment that is made valid again', async () => {
    const startsAt = aTime();
    const { id } = await book(api.database, api.clinic, { startsAt });
    await change(api.database, api.clinic, id, { status: 'cancelled' });
    const hold = await heldByPatient(startsAt);
    const { status } = await api.client.send('POST', `/v1/appointments/${id}/reinstate`);
    expect([status, await isHeld(hold)]).toEqual([200, false]);
  });

  test('stays held when the booking of a key is refused for another appointment', async () => {
    const startsAt = aTime();
    await book(api.database, api.clinic, { startsAt: after(startsAt) });
    const hold = await heldByPatient(startsAt);
    const long = { endsAt: new Date(startsAt.getTime() + 2 * HALF_HOUR_MS).toISOString() };
    const { status } = await api.client.post('/v1/appointments', bookingBody(api.clinic, startsAt, long));
    expect([status, await isHeld(hold)]).toEqual([409, true]);
  });

  test('is neither booked nor held by another patient', async () => {
    const startsAt = aTime();
    const hold = await heldByPatient(startsAt);
    await expect(bookAsPatient({ startsAt })).rejects.toMatchObject({ code: 'slot_conflict' });
    await expect(heldByPatient(startsAt)).rejects.toMatchObject({ code: 'slot_conflict' });
    expect(await isHeld(hold)).toBe(true);
    expect(await bookAsPatient({ startsAt, holdId: hold.id })).toMatchObject({ status: 'confirmed' });
  });
});

/** What came of it; anything but a refusal for the time is a failure of the test. */
async function outcomeOf(attempt: () => Promise<unknown>): Promise<'done' | 'taken'> {
  try {
    await askAgainWhenBusy(attempt);
    return 'done';
  } catch (error) {
    if (error instanceof ServiceError && ['slot_conflict', 'hold_expired'].includes(error.code))
      return 'taken';
    throw error;
  }
}

test('of many who want the same times at once, one gets each, and reception is never refused for a hold', async () => {
  const first = aTime();
  const times = Array.from({ length: 12 }, (_, at) => new Date(first.getTime() + at * HALF_HOUR_MS));
  hours += 6;
  const { database, clinic } = api;
  const holds = await Promise.all(times.map((startsAt) => heldByPatient(startsAt)));
  const rivals = holds.map(async ({ startsAt, id: holdId }, at) => {
    const moved = await book(database, clinic, { startsAt: inHours(500 + at), patientName: 'Moved' });
    const ofPatient = [
      () => bookAsPatient({ startsAt, holdId }),
      () => bookAsPatient({ startsAt, patientName: 'Without a hold' }),
      () => heldByPatient(startsAt),
    ];
    const ofClinic = [
      () => book(database, clinic, { startsAt, patientName: 'At the desk' }),
      () => book(database, clinic, { startsAt, patientName: 'On the phone' }),
      () => change(database, clinic, moved.id, { startsAt }),
    ];
    const outcomes = await Promise.all([...ofPatient, ...ofClinic].map(outcomeOf));
    return { patients: outcomes.slice(0, 3), clinic: outcomes.slice(3) };
  });
  for (const { patients, clinic: desk } of await Promise.all(rivals)) {
    const booked = [...patients.slice(0, 2), ...desk].filter((outcome) => outcome === 'done');
    expect(booked).toHaveLength(1);
  }
});
