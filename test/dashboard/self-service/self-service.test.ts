import { beforeEach, describe, expect, test } from '@jest/globals';
import { SELF_SERVICE_WORDS } from '../../../dashboard/self-service/words.ts';
import { AppointmentEntity } from '../../../db/entities/appointment.entity.ts';
import { TenantEntity } from '../../../db/entities/tenant.entity.ts';
import { WebhookEventEntity } from '../../../db/entities/webhooks/webhook-event.entity.ts';
import { book as bookByHand } from '../../support/clinic.ts';
import { openBrowser } from '../../support/pages/browser.ts';
import { ON_A_PHONE, sitDown } from '../../support/pages/clicker.ts';
import { suiteDashboard } from '../../support/pages/dashboard-server.ts';
import { bookAlone, openToPatients, SLUG } from './self-service-walk.ts';
import type { VisitedPage, Visitor } from '../../support/pages/visitor.ts';
import { storedAppointments } from '../../support/stored/stored-appointments.ts';

let patient: Visitor;
/** What the dashboard takes for now. */
let ahead = 0;
const dashboard = await suiteDashboard({
  now: () => new Date(Date.now() + ahead),
  trustedHops: 1,
  areLimitsDisabled: false,
});
const { database, clinic } = dashboard;
const { serviceTypeId, tenantId } = dashboard.clinic;
beforeEach(async () => {
  patient = newPatient();
  await setClinic({ publicBookingEnabled: true });
});

async function setClinic(settings: { publicBookingEnabled?: boolean; selfService?: object }): Promise<void> {
  const { publicBookingEnabled = true, selfService } = settings;
  const config = { timezone: 'Europe/Lisbon', ...(selfService && { selfService }) };
  await database
    .em()
    .nativeUpdate(TenantEntity, { id: clinic.tenantId }, { publicSlug: SLUG, publicBookingEnabled, config });
}

/** A day so many days from now, at which the clinic, which never closes, has free times. */
function dayIn(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}

async function offeredOn(day: string, visitor = patient): Promise<{ id: string; times: string[] }> {
  const { text } = await visitor.get(`/book/${SLUG}?service=${dashboard.clinic.serviceTypeId}&day=${day}`);
  const times = [...text.matchAll(/name="time"\s+value="([^"]+)"/g)].map(([, time = '']) => time);
  return { id: /name="id" value="([^"]+)"/.exec(text)?.[1] ?? '', times };
}

async function firstTimeOn(day: string, visitor = patient): Promise<string> {
  return (await offeredOn(day, visitor)).times[0] ?? '';
}

async function detailsOf(time: string, professional = ''): Promise<VisitedPage> {
  const chosen = new URLSearchParams({ service: dashboard.clinic.serviceTypeId, professional, time });
  return patient.get(`/book/${SLUG}/details?${chosen.toString()}`);
}

async function book(day: string, patientPhone: string, patientName = 'Maria Santos'): Promise<VisitedPage> {
  await detailsOf(await firstTimeOn(day));
  return patient.submit(`/book/${SLUG}/details`, { patientName, patientPhone });
}

let addresses = 0;
function newPatient(): Visitor {
  addresses += 1;
  return dashboard.stranger(`203.0.113.${addresses}`);
}

let phones = 910_000_000;
function aPhone(): string {
  phones += 1;
  return `+351${phones}`;
}

const appointments = async (where: object = {}) =>
  (await storedAppointments(dashboard.database, where)).toSorted((a, b) => (a.id < b.id ? -1 : 1));

describe('a patient books alone', () => {
  test('service, day and time, name and phone; the clinic gets a booking of the patient’s own', async () => {
    const visit = await book(dayIn(3), aPhone());
    expect(visit.url.pathname).toMatch(/^\/book\/a\//);
    expect(visit.text).toContain(SELF_SERVICE_WORDS.en.booked);
    const [booked] = (await appointments()).slice(-1);
    expect(booked).toMatchObject({
      status: 'confirmed',
      source: 'self_service',
      patientName: 'Maria Santos',
    });
    const event = await dashboard.database.em().findOne(WebhookEventEntity, { appointmentId: booked?.id });
    expect(event?.type).toBe('appointment.created');
  });

  test('in Portuguese for whoever’s browser asks for it', async () => {
    const page = await patient.get(`/book/${SLUG}`, { 'accept-language': 'pt-PT,en;q=0.5' });
    expect(page.text).toContain(SELF_SERVICE_WORDS.pt.timeTitle);
  });

  test('a form that is sent twice books once', async () => {
    const time = await firstTimeOn(dayIn(4));
    const { text } = await detailsOf(time);
    const id = /name="id" value="([^"]+)"/.exec(text)?.[1] ?? '';
    const before = (await appointments()).length;
    const form = {
      id,
      service: dashboard.clinic.serviceTypeId,
      time,
      patientName: 'Rui',
      patientPhone: aPhone(),
    };
    const address = `/book/${SLUG}/details`;
    const twins = [newPatient(), newPatient()];
    const pages = await Promise.all(twins.map((twin) => twin.post(address, form)));
    expect(new Set(pages.map(({ url }) => url.pathname)).size).toBe(1);
    expect(await appointments()).toHaveLength(before + 1);
  });

  test('a time that someone else took meanwhile is refused, and nothing typed is lost', async () => {
    const time = await firstTimeOn(dayIn(5));
    await detailsOf(time, time.split('/')[1]);
    const rival = newPatient();
    const chosen = new URLSearchParams({ service: dashboard.clinic.serviceTypeId, time });
    await rival.get(`/book/${SLUG}/details?${chosen.toString()}`);
    await rival.submit(`/book/${SLUG}/details`, { patientName: 'Rival', patientPhone: aPhone() });
    const late = await patient.submit(`/book/${SLUG}/details`, {
      patientName: 'Maria',
      patientPhone: aPhone(),
    });
    expect(late.status).toBe(409);
    expect(late.text).toContain('that time was just taken');
    expect(late.text).toContain('value="Maria"');
  });

  test('what is missing is named, and nothing is booked', async () => {
    await detailsOf(await firstTimeOn(dayIn(6)));
    const before = (await appointments()).length;
    const page = await patient.submit(`/book/${SLUG}/details`, { patientName: ' ', patientPhone: '12' });
    expect(page.status).toBe(422);
    expect(page.text).toMatch(/Enter your name[\s\S]*Enter your full phone number/);
    expect(await appointments()).toHaveLength(before);
  });
});

function choose(visitor: Visitor, time: string, id = '', professional = ''): Promise<VisitedPage> {
  const service = dashboard.clinic.serviceTypeId;
  return visitor.post(`/book/${SLUG}/hold`, { id, service, professional, time });
}

function submitPatient(visitor: Visitor): Promise<VisitedPage> {
  const patientFields = { patientName: 'Maria Santos', patientPhone: aPhone() };
  return visitor.submit(`/book/${SLUG}/details`, patientFields);
}

async function endHolds(): Promise<void> {
  const ended = "hold_expires_at = now() - interval '1 second'";
  await dashboard.database.em().execute(`UPDATE calendar_entry SET ${ended} WHERE status = 'held'`);
}

/** As if no one had held anything recently. */
async function forgetHolds(): Promise<void> {
  const holds = "subject LIKE 'self-service:holds:%'";
  await dashboard.database.em().execute(`DELETE FROM request_window WHERE ${holds}`);
}

describe('a time that was chosen', () => {
  test('is kept while its patient types: no one else is offered it, and no one is in the way of the booking', async () => {
    const time = await firstTimeOn(dayIn(23));
    expect((await choose(patient, time)).text).toMatch(/holding this time for you until \d\d:\d\d/);
    expect(await firstTimeOn(dayIn(23), newPatient())).not.toBe(time);
    const back = await patient.get(`/book/${SLUG}?service=${serviceTypeId}&day=${dayIn(23)}`);
    expect(back.text).toMatch(/holding this time for you until[\s\S]*Continue with this time/);
    const late = await choose(newPatient(), time, '', time.split('/')[1]);
    expect(late.text).toContain('that time was just taken');
    await choose(patient, time);
    expect((await submitPatient(patient)).text).toContain(SELF_SERVICE_WORDS.en.booked);
  });

  test('is held once after a double click, before the browser knows of the hold', async () => {
    const { id, times } = await offeredOn(dayIn(29));
    const clicks = [newPatient(), newPatient()].map((click) => choose(click, times[0] ?? '', id));
    for (const { text } of await Promise.all(clicks)) expect(text).toMatch(/holding this time for you until/);
  });

  test('with anyone is with each of those who are free in turn', async () => {
    const who = (await offeredOn(dayIn(30))).times.map((time) => time.split('/')[1]);
    expect(new Set(who).size).toBe(dashboard.clinic.professionalIds.length);
  });

  test('is free again as soon as another one is chosen', async () => {
    const first = await firstTimeOn(dayIn(24));
    await choose(patient, first);
    await choose(patient, await firstTimeOn(dayIn(25)));
    expect(await firstTimeOn(dayIn(24), newPatient())).toBe(first);
  });

  test('is booked after its hold has ended, when it is still free, and is lost when it is not', async () => {
    const [time, rival] = [await firstTimeOn(dayIn(26)), newPatient()];
    await choose(patient, time);
    await endHolds();
    expect((await submitPatient(patient)).text).toContain(SELF_SERVICE_WORDS.en.booked);
    const next = await firstTimeOn(dayIn(26));
    await choose(patient, next);
    await endHolds();
    await choose(rival, next);
    expect((await submitPatient(rival)).status).toBe(200);
    await choose(patient, next);
    const late = await patient.get(
      `/book/${SLUG}/details?${new URLSearchParams({ service: dashboard.clinic.serviceTypeId, time: next }).toString()}`,
    );
    expect(late.text).not.toContain('holding this time for you');
    expect((await submitPatient(patient)).status).toBe(409);
  });

  test('is held twenty times by an address and thirty by all patients, and chosen without a hold then', async () => {
    const [one, other] = [newPatient(), newPatient()];
    await forgetHolds();
    const times = [await firstTimeOn(dayIn(27)), await firstTimeOn(dayIn(28))];
    const held: boolean[] = [];
    for (let nr = 0; nr < 32; nr += 1) {
      const page = await choose(nr < 21 ? one : other, times[nr % 2] ?? '');
      held.push(page.text.includes('holding this time for you'));
    }
    expect(held.map((isHeld, at) => (isHeld ? -1 : at)).filter((at) => at >= 0)).toEqual([20, 31]);
  });
});

describe('what the clinic decides', () => {
  test('no one finds a clinic that has not opened its page', async () => {
    await setClinic({ publicBookingEnabled: false });
    expect((await patient.get(`/book/${SLUG}`)).status).toBe(404);
    expect((await patient.get('/book/nobody')).status).toBe(404);
  });

  test('no sooner than its notice, no later than its horizon, whatever is posted', async () => {
    await setClinic({ selfService: { minNoticeMinutes: 3 * 1440, maxDaysAhead: 5 } });
    expect(await firstTimeOn(dayIn(1))).toBe('');
    expect(await firstTimeOn(dayIn(9))).toBe('');
    const [professionalId] = dashboard.clinic.professionalIds;
    for (const days of [-1, 1, 2, 9]) {
      await detailsOf(`${dayIn(days)}T10:00:00.000Z/${professionalId}`);
      const page = await patient.submit(`/book/${SLUG}/details`, {
        patientName: 'Maria',
        patientPhone: aPhone(),
      });
      expect([days, page.status]).toEqual([days, 409]);
    }
  });

  test('only the services it names', async () => {
    await setClinic({ selfService: { serviceTypeIds: [] } });
    expect((await patient.get(`/book/${SLUG}`)).text).toContain('Online booking isn’t available right now');
    const [professionalId] = dashboard.clinic.professionalIds;
    await detailsOf(`${dayIn(3)}T15:00:00.000Z/${professionalId}`);
    const fields = { patientName: 'Maria', patientPhone: aPhone() };
    expect((await patient.submit(`/book/${SLUG}/details`, fields)).status).toBe(409);
  });
});

describe('a patient’s own page', () => {
  test('moves the visit, and leads to where it is now, by the old link too', async () => {
    const visit = await book(dayIn(7), aPhone());
    await patient.get(`${visit.url.pathname}/move?day=${dayIn(8)}`);
    const time = /name="time"\s+value="([^"]+)"/.exec(
      (await patient.get(`${visit.url.pathname}/move?day=${dayIn(8)}`)).text,
    )?.[1];
    const moved = await patient.submit(`${visit.url.pathname}/move`, { time: time ?? '' });
    expect(moved.url.pathname).not.toBe(visit.url.pathname);
    const [replacement] = (await appointments({ status: 'confirmed' })).slice(-1);
    expect(replacement?.startsAt.toISOString()).toBe(time?.split('/')[0]);
    const old = await patient.get(visit.url.pathname);
    expect(old.text).toContain(`datetime="${replacement?.startsAt.toISOString()}"`);
  });

  test('cancels it once, and can do nothing more then', async () => {
    const visit = await book(dayIn(9), aPhone());
    await patient.get(`${visit.url.pathname}/cancel`);
    const cancelled = await patient.submit(`${visit.url.pathname}/cancel`);
    expect(cancelled.text).toContain(SELF_SERVICE_WORDS.en.isCancelled);
    expect((await appointments({ status: 'cancelled' })).at(-1)).toMatchObject({
      cancellationReason: 'patient_requested',
    });
    const again = await patient.post(`${visit.url.pathname}/move`, { time: 'anything' });
    expect(again.url.pathname).toBe(visit.url.pathname);
  });

  test('has a file for the calendar, and is found by no search', async () => {
    const visit = await book(dayIn(10), aPhone());
    expect(visit.headers.get('x-robots-tag')).toBe('noindex');
    const file = await patient.get(`${visit.url.pathname}/visit.ics`);
    expect(file.headers.get('content-type')).toMatch(/^text\/calendar/);
    expect(file.text).toMatch(/BEGIN:VEVENT[\s\S]*SUMMARY:Check-up\\, Clínica da Luz[\s\S]*END:VEVENT/);
  });

  test('ends with the visit: it says nothing of it any more', async () => {
    const visit = await book(dayIn(3), aPhone());
    const [booked] = (await appointments()).slice(-1);
    ahead = (booked?.endsAt.getTime() ?? 0) - Date.now();
    const page = await patient.get(visit.url.pathname);
    ahead = 0;
    expect(page.status).toBe(410);
    expect(page.text).toContain('can no longer be changed');
    expect(page.text).not.toContain(booked?.startsAt.toISOString());
  });

  test('opens for no one who has guessed', async () => {
    const visit = await book(dayIn(11), aPhone());
    const token = visit.url.pathname.slice('/book/a/'.length);
    const forged = `${token.slice(0, -2)}${token.endsWith('AA') ? 'BA' : 'AA'}`;
    expect((await patient.get(`/book/a/${forged}`)).status).toBe(404);
    expect((await patient.get('/book/a/x')).status).toBe(404);
  });
});

describe('a visitor who tries phones', () => {
  test('is answered the same for one that has an appointment and one that has not', async () => {
    const known = aPhone();
    await book(dayIn(3), known, 'Maria Santos');
    const [{ startsAt, professionalId } = { startsAt: new Date(), professionalId: '' }] = (
      await appointments()
    ).slice(-1);
    const answers = [];
    for (const phone of [known, aPhone()]) {
      await detailsOf(`${startsAt.toISOString()}/${professionalId}`);
      const page = await patient.submit(`/book/${SLUG}/details`, {
        patientName: 'Maria Santos',
        patientPhone: phone,
      });
      answers.push([page.status, page.text.replaceAll(phone, '').replaceAll(/name="id" value="[^"]*"/g, '')]);
    }
    expect(answers[0]?.[0]).toBe(409);
    expect(answers[0]).toEqual(answers[1]);
  });

  test('is led to no appointment by its id, its patient and their phone', async () => {
    const phone = aPhone();
    const patientPhoneHash = dashboard.dependencies.phoneHash({ tenantId: clinic.tenantId, e164: phone });
    const startsAt = new Date(`${dayIn(20)}T10:00:00.000Z`);
    const there = await bookByHand(database, clinic, {
      patientName: 'Maria Santos',
      patientPhoneHash,
      startsAt,
    });
    const page = await patient.post(`/book/${SLUG}/details`, {
      id: there.id,
      service: clinic.serviceTypeId,
      time: `${startsAt.toISOString()}/${there.professionalId}`,
      patientName: 'Maria Santos',
      patientPhone: phone,
    });
    expect([page.status, page.url.pathname]).toEqual([409, `/book/${SLUG}/details`]);
  });
});

function selfBooked(nr: number) {
  const startsAt = new Date(Date.parse(`${dayIn(40)}T00:00:00.000Z`) + nr * 3_600_000);
  return { source: 'self_service' as const, startsAt };
}

test('a clinic takes sixty bookings of patients in an hour, and says so as to anyone else', async () => {
  const sixty = Array.from({ length: 60 }, (_, nr) => nr);
  await Promise.all(sixty.map((nr) => bookByHand(dashboard.database, dashboard.clinic, selfBooked(nr))));
  const refused = await book(dayIn(22), aPhone());
  expect([refused.status, /Please call the clinic/.test(refused.text)]).toEqual([429, true]);
  const hourAgo = new Date(Date.now() - 3_600_000);
  await dashboard.database.em().nativeUpdate(AppointmentEntity, { tenantId }, { createdAt: hourAgo });
  expect((await book(dayIn(22), aPhone())).status).toBe(200);
});

test('a patient books on a phone in Portuguese where no scripts run', async () => {
  await openToPatients(dashboard);
  await forgetHolds();
  const seat = { ...ON_A_PHONE, hasScripts: false };
  await using browser = await openBrowser();
  const [onAPhone, walk] = [await sitDown(browser, seat), { url: dashboard.url, seat, problems: [] }];
  await bookAlone(onAPhone, walk, aPhone());
  await onAPhone.leave();
  expect(walk.problems).toEqual([]);
});

test('no name and no phone stands in the log', async () => {
  await book(dayIn(18), '+351999888777', 'Zulmira Invisível');
  expect(dashboard.log.join('\n')).not.toMatch(/Zulmira|999888777/);
});
