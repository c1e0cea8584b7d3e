import { join } from 'node:path';
import { uuidv7 } from 'uuidv7';
import { TenantEntity } from '../../../db/entities/tenant.entity.ts';
import { ServiceTypeEntity } from '../../../db/entities/service-type.entity.ts';
import { SELF_SERVICE_WORDS } from '../../../dashboard/self-service/words.ts';
import type { Seat, Clicker } from '../../support/pages/clicker.ts';
import type { TestDashboard } from '../../support/pages/dashboard-server.ts';
import { problemsNow } from '../../support/pages/page-check.ts';

export const SLUG = 'clinica-da-luz';
export const SERVICE = 'Check-up';

const DAY: [string, string][] = [
  ['09:00', '13:00'],
  ['14:00', '18:00'],
];

/** Opens the page of the clinic, which offers two services from Monday to Friday. */
export async function openToPatients({ database, clinic }: TestDashboard): Promise<void> {
  const [mon, tue, wed, thu, fri] = Array.from({ length: 5 }, () => DAY);
  const config = { timezone: 'Europe/Lisbon', businessHours: { mon, tue, wed, thu, fri } };
  const place = { address: 'Rua da Luz 12', postalCode: '1600-001', city: 'Lisboa', phone: '+351210000000' };
  const open = { publicSlug: SLUG, publicBookingEnabled: true };
  const em = database.em();
  await em.nativeUpdate(TenantEntity, { id: clinic.tenantId }, { ...open, ...place, config });
  await em.insert(ServiceTypeEntity, {
    id: uuidv7(),
    tenantId: clinic.tenantId,
    name: 'Cirurgia oral',
    description: 'Traga as suas radiografias, se as tiver.',
    durationMinutes: 90,
    priceEur: '180.00',
  });
}

export interface Walk {
  url: string;
  seat: Seat;
  /** Of what is wrong with the pages seen so far. */
  problems: string[];
  /** Where pictures go; none are taken by default. */
  pictures?: string | undefined;
}

/** From the first page to a booked visit; its page is then open. */
export async function bookAlone(patient: Clicker, walk: Walk, phone: string): Promise<void> {
  const words = SELF_SERVICE_WORDS[walk.seat.language];
  const { page } = patient;
  await page.goto(`${walk.url}/book/${SLUG}`);
  await look(patient, walk, 'service');
  await patient.follow(new RegExp(SERVICE));
  await patient.sees(words.timeTitle);
  await look(patient, walk, 'times');
  await firstTime(patient);
  await patient.sees(words.name);
  await patient.sees(/holding this time for you|Reservámos esta hora/);
  await look(patient, walk, 'details');
  await patient.fill(words.name, 'Maria Santos');
  await patient.fill(words.phone, '12');
  await patient.press(words.book);
  await patient.sees(words.wrong.patientPhone.replace('{phone}.', ''));
  await look(patient, walk, 'mistake');
  await patient.fill(words.phone, phone);
  await patient.press(words.book);
  await patient.sees(words.booked);
  await look(patient, walk, 'booked');
}

/** From the page of the visit to another time, and then to no time at all. */
export async function moveAndCancelAlone(patient: Clicker, walk: Walk): Promise<void> {
  const words = SELF_SERVICE_WORDS[walk.seat.language];
  await patient.follow(words.move);
  await patient.sees(words.day);
  await look(patient, walk, 'move');
  await patient.page.locator('.offered-week a:not([aria-current])').first().click();
  await firstTime(patient);
  await patient.sees(words.moveQuestion);
  await look(patient, walk, 'move-question');
  await patient.press(words.confirmMove);
  await patient.sees(words.booked);
  await patient.follow(words.cancel);
  await patient.sees(words.cancelQuestion);
  await look(patient, walk, 'cancel-question');
  await patient.press(words.confirmCancel);
  await patient.sees(words.isCancelled);
  await look(patient, walk, 'cancelled');
}

async function firstTime({ page }: Clicker): Promise<void> {
  await page.locator('button[name="time"]').first().click();
}

async function look({ page }: Clicker, { seat, problems, pictures }: Walk, name: string): Promise<void> {
  problems.push(...(await problemsNow(page, seat.hasScripts ?? true)));
  if (pictures === undefined) return;
  await page.screenshot({ path: join(pictures, `${seat.where}-${name}.png`), fullPage: true });
}
