import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { SELF_SERVICE_WORDS } from '../../../dashboard/self-service/words.ts';
import { purgeSelfBookings } from '../../../db/appointments/self-booked.ts';
import { TenantEntity } from '../../../db/entities/tenant.entity.ts';
import { book as bookByHand, change, inHours } from '../../support/clinic.ts';
import {
  startTestDashboard,
  suiteDashboard,
  type TestDashboard,
} from '../../support/pages/dashboard-server.ts';
import type { VisitedPage, Visitor } from '../../support/pages/visitor.ts';
import { storedAppointments } from '../../support/stored/stored-appointments.ts';
import { SLUG } from './self-service-walk.ts';

const dashboard = await suiteDashboard({ trustedHops: 1, areLimitsDisabled: false });
const { database, clinic } = dashboard;
beforeEach(() => openClinic(dashboard));
/** Each test begins as if no one had booked yet. */
afterEach(async () => {
  const em = dashboard.database.em();
  await em.execute(`UPDATE calendar_entry SET created_at = created_at - interval '2 days'`);
  await em.execute('DELETE FROM request_window');
});

async function openClinic({ database, clinic }: TestDashboard): Promise<void> {
  const open = { publicSlug: SLUG, publicBookingEnabled: true, config: { timezone: 'Europe/Lisbon' } };
  await database.em().nativeUpdate(TenantEntity, { id: clinic.tenantId }, open);
}

let addresses = 0;
function anAddress(): string {
  addresses += 1;
  return `198.51.100.${addresses}`;
}

let phones = 920_000_000;
function aPhone(): string {
  phones += 1;
  return `+351${phones}`;
}

let hours = 24;
/** A time that no one has. */
function aTime(): string {
  hours += 1;
  return `${inHours(hours).toISOString()}/${dashboard.clinic.professionalIds[0]}`;
}

function book(visitor: Visitor, fields: Record<string, string> = {}): Promise<VisitedPage> {
  const patient = { patientName: 'Maria Santos', patientPhone: aPhone() };
  const { serviceTypeId: service } = dashboard.clinic;
  return visitor.post(`/book/${SLUG}/details`, { service, time: aTime(), ...patient, ...fields });
}

async function bookOften(visitor: Visitor, times: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let nr = 0; nr < times; nr += 1) statuses.push((await book(visitor)).status);
  return statuses;
}

const ok = (times: number) => Array.from({ length: times }, () => 200);

async function cancel(visitor: Visitor, visit: VisitedPage): Promise<VisitedPage> {
  await visitor.get(`${visit.url.pathname}/cancel`);
  return visitor.submit(`${visit.url.pathname}/cancel`);
}

async function move(visitor: Visitor, visit: VisitedPage): Promise<VisitedPage> {
  const address = `${visit.url.pathname}/move`;
  await visitor.get(`${address}?${new URLSearchParams({ time: aTime() }).toString()}`);
  return visitor.submit(address);
}

function expectRefused(page: VisitedPage): void {
  expect(page.status).toBe(429);
  expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(0);
}

describe('an address', () => {
  test('books fifteen times an hour; others book on', async () => {
    const address = anAddress();
    expect(await bookOften(dashboard.stranger(address), 15)).toEqual(ok(15));
    const refused = await book(dashboard.stranger(address), { patientName: 'Sixteenth' });
    expectRefused(refused);
    expect(refused.text).toMatch(/Please call the clinic[\s\S]*value="Sixteenth"/);
    expect((await book(dashboard.stranger(anAddress()))).status).toBe(200);
  });

  test('of IPv6 is the /56 that a household has', async () => {
    expect(await bookOften(dashboard.stranger('2001:db8:7:aa00::1'), 15)).toEqual(ok(15));
    expectRefused(await book(dashboard.stranger('2001:db8:7:aaff::2')));
    expect((await book(dashboard.stranger('2001:db8:7:ab00::1'))).status).toBe(200);
  });

  test('has room again for what it cancelled, also after a move, and for what reception cancelled', async () => {
    const patient = dashboard.stranger(anAddress());
    expect(await bookOften(patient, 12)).toEqual(ok(12));
    const cancelled = await book(patient);
    expect((await cancel(patient, cancelled)).text).toContain(SELF_SERVICE_WORDS.en.isCancelled);
    const moved = await move(patient, await book(patient));
    expect((await cancel(patient, moved)).text).toContain(SELF_SERVICE_WORDS.en.isCancelled);
    await book(patient);
    const confirmed = await storedAppointments(dashboard.database, { status: 'confirmed' });
    const id =
      confirmed.toSorted((one, other) => Number(one.startsAt) - Number(other.startsAt)).at(-1)?.id ?? '';
    await change(dashboard.database, dashboard.clinic, id, { status: 'cancelled' });
    expect(await bookOften(patient, 3)).toEqual(ok(3));
    expectRefused(await book(patient));
  });

  test('does not book again by moving: a visit that was moved counts once', async () => {
    const patient = dashboard.stranger(anAddress());
    expect(await bookOften(patient, 14)).toEqual(ok(14));
    const visit = await book(patient);
    const moved = await move(patient, visit);
    expect(moved.url.pathname).not.toBe(visit.url.pathname);
    expectRefused(await book(patient));
  });

  test('makes forty changes in ten minutes, and refused ones do not count', async () => {
    const address = anAddress();
    const patient = dashboard.stranger(address);
    const taken = aTime();
    await book(dashboard.stranger(anAddress()), { time: taken });
    for (let nr = 0; nr < 5; nr += 1) expect((await book(patient, { time: taken })).status).toBe(409);
    await cancel(patient, await move(patient, await book(patient)));
    const em = dashboard.database.em();
    const [counted] = await em.execute<{ accepted: Date[] }[]>(
      'SELECT accepted FROM request_window WHERE subject = ?',
      [`self-service:changes:${address}`],
    );
    expect(counted?.accepted).toHaveLength(3);
    await em.execute('UPDATE request_window SET accepted = array_fill(accepted[3], ARRAY[39])');
    const visit = await book(patient);
    expect(visit.status).toBe(200);
    for (const refused of [await move(patient, visit), await cancel(patient, visit)]) {
      expectRefused(refused);
      expect(refused.text).toMatch(/Your appointment hasn’t changed[\s\S]*Try again in ten minutes, or call/);
      expect(refused.text).toContain(`href="${visit.url.pathname}/move"`);
    }
    expectRefused(await book(patient));
    const elsewhere = dashboard.stranger(anAddress());
    expect((await cancel(elsewhere, visit)).text).toContain(SELF_SERVICE_WORDS.en.isCancelled);
  });

  test('that sends many forms at once passes no limit', async () => {
    const address = anAddress();
    const pages = await Promise.all(Array.from({ length: 20 }, () => book(dashboard.stranger(address))));
    expect(pages.filter(({ status }) => status === 200)).toHaveLength(15);
  });
});

describe('a phone', () => {
  test('books five times a day from one address or one browser', async () => {
    const patientPhone = aPhone();
    const address = anAddress();
    const patient = dashboard.stranger(address);
    for (let nr = 0; nr < 5; nr += 1) expect((await book(patient, { patientPhone })).status).toBe(200);
    expectRefused(await book(dashboard.stranger(address), { patientPhone }));
    const elsewhere = { 'x-forwarded-for': anAddress() };
    const cookie = [...patient.cookies()].map(([name, value]) => `${name}=${value}`).join('; ');
    const form = {
      service: dashboard.clinic.serviceTypeId,
      time: aTime(),
      patientName: 'Maria',
      patientPhone,
    };
    const response = await fetch(`${dashboard.url}/book/${SLUG}/details`, {
      method: 'POST',
      headers: { ...elsewhere, cookie, origin: dashboard.url },
      body: new URLSearchParams(form),
      redirect: 'manual',
    });
    expect(response.status).toBe(429);
    await response.body?.cancel();
  });

  test('is not locked by others who book under it, and does not tell whether its owner has booked', async () => {
    const known = aPhone();
    const owner = dashboard.stranger(anAddress());
    for (let nr = 0; nr < 4; nr += 1) await book(owner, { patientPhone: known });
    const bookedAs = async (patientPhone: string) => {
      const stranger = dashboard.stranger(anAddress());
      const statuses: number[] = [];
      for (let nr = 0; nr < 6; nr += 1) statuses.push((await book(stranger, { patientPhone })).status);
      return statuses;
    };
    expect(await bookedAs(known)).toEqual([...ok(5), 429]);
    expect(await bookedAs(aPhone())).toEqual([...ok(5), 429]);
    expect((await book(owner, { patientPhone: known })).status).toBe(200);
  });

  test('has room again for a booking that was cancelled', async () => {
    const patientPhone = aPhone();
    const patient = dashboard.stranger(anAddress());
    for (let nr = 0; nr < 4; nr += 1) await book(patient, { patientPhone });
    await cancel(patient, await book(patient, { patientPhone }));
    expect((await book(patient, { patientPhone })).status).toBe(200);
    expectRefused(await book(patient, { patientPhone }));
  });
});

describe('a clinic', () => {
  test('takes sixty bookings an hour that stand, and cancelled ones take nobody’s place', async () => {
    for (let nr = 0; nr < 60; nr += 1) {
      const startsAt = inHours(24 * 20 + nr);
      const { id } = await bookByHand(database, clinic, { startsAt, source: 'self_service' });
      if (nr > 30) await change(database, clinic, id, { status: 'cancelled' });
    }
    const patient = dashboard.stranger(anAddress());
    expect((await book(patient)).status).toBe(200);
    for (let nr = 31; nr < 59; nr += 1)
      await bookByHand(database, clinic, { startsAt: inHours(24 * 20 + nr), source: 'self_service' });
    expectRefused(await book(patient));
  });

  test('forgets after a day where its patients booked from', async () => {
    await book(dashboard.stranger(anAddress()));
    const em = database.em();
    const stored = () => em.execute('SELECT FROM self_booking');
    await purgeSelfBookings(em, 1000);
    expect((await stored()).length).toBeGreaterThan(0);
    await em.execute(`UPDATE self_booking SET created_at = created_at - interval '1 day'`);
    await purgeSelfBookings(em, 1000);
    expect(await stored()).toEqual([]);
  });
});

describe('a time that a patient holds while typing', () => {
  async function hold(visitor: Visitor, time: string): Promise<VisitedPage> {
    const { serviceTypeId: service } = dashboard.clinic;
    return visitor.post(`/book/${SLUG}/hold`, { service, professional: time.split('/')[1] ?? '', time });
  }

  test('can be booked by reception; the form then says that it was taken, and books another time that it offers', async () => {
    const patient = dashboard.stranger(anAddress());
    const time = aTime();
    expect((await hold(patient, time)).text).toMatch(/holding this time for you until/);
    const [at = ''] = time.split('/');
    await bookByHand(database, clinic, { startsAt: new Date(at) });
    const fields = { patientName: 'Maria Santos', patientPhone: aPhone() };
    const late = await patient.submit(`/book/${SLUG}/details`, fields);
    expect(late.status).toBe(409);
    expect(late.text).toMatch(/that time was just taken[\s\S]*Other free times[\s\S]*value="Maria Santos"/);
    const offered = [...late.text.matchAll(/name="time"\s+value="([^"]+)"/g)].map(([, value = '']) => value);
    expect(offered.length).toBeGreaterThan(0);
    expect(offered).not.toContain(time);
    const booked = await patient.submit(`/book/${SLUG}/details`, { ...fields, time: offered[0] ?? '' });
    expect(booked.text).toContain(SELF_SERVICE_WORDS.en.booked);
  });

  test('is free at the desk and taken for other patients', async () => {
    const [patient, other] = [dashboard.stranger(anAddress()), dashboard.stranger(anAddress())];
    const time = aTime();
    await hold(patient, time);
    expect((await hold(other, time)).text).toContain('that time was just taken');
    const rita = await dashboard.person('rita');
    const [at = '', professional = ''] = time.split('/');
    const chosen = { service: dashboard.clinic.serviceTypeId, professional, day: at.slice(0, 10) };
    const form = await rita.get(`/appointments/new?${new URLSearchParams(chosen).toString()}`);
    expect(form.text).toContain(`value="${time}`);
  });
});

test('RATE_LIMITS_DISABLED lifts the counts', async () => {
  const unlimited = await startTestDashboard();
  await openClinic(unlimited);
  const { serviceTypeId: service, professionalIds } = unlimited.clinic;
  const patient = unlimited.stranger();
  for (let nr = 0; nr < 17; nr += 1) {
    const time = `${inHours(24 + nr).toISOString()}/${professionalIds[0]}`;
    const form = { service, time, patientName: 'Maria', patientPhone: '+351912345678' };
    expect((await patient.post(`/book/${SLUG}/details`, form)).status).toBe(200);
  }
  await unlimited[Symbol.asyncDispose]();
});
