import type { Page } from 'playwright-core';
import { TenantEntity } from '../../../db/entities/tenant.entity.ts';
import { localDayOf } from '../../../domain/clinic/hours/local-day.ts';
import { book, change, inHours } from '../../support/clinic.ts';
import type { TestDashboard } from '../../support/pages/dashboard-server.ts';
import { idIn, type FormAt, type FormRow } from './form-rows.ts';

const ZONE = 'Europe/Lisbon';
const dayIn = (days: number) => localDayOf(inHours(24 * days), ZONE).date;

let booked = 0;

/** Each patient has a time of their own, in days to come by default. */
async function anAppointment({ database, clinic }: TestDashboard, days = 40): Promise<string> {
  booked += 1;
  const startsAt = inHours(24 * days + booked);
  const { id } = await book(database, clinic, {
    startsAt,
    patientName: `Patient ${booked}`,
    mayBackdate: true,
  });
  return id;
}

async function openAllDay({ database, clinic }: TestDashboard): Promise<void> {
  const config = { timezone: ZONE };
  await database.em().nativeUpdate(TenantEntity, { id: clinic.tenantId }, { config });
}

function settling(status: string, days?: number): FormRow {
  return {
    by: 'rita',
    holds: ['status', status],
    async begin(dashboard) {
      const page = `/appointments/${await anAppointment(dashboard, days)}`;
      return { page, action: page };
    },
    theirs: ({ database, clinic }, at) => change(database, clinic, idIn(at), { patientNotes: 'Comes late' }),
  };
}

const chosenTime = (page: Page) => page.locator('input[name="time"]').first();

/** After a time was ticked. */
async function chooseAnotherDay(page: Page): Promise<void> {
  await page.locator('input[name="day"]').fill(dayIn(21));
}

/** Half an hour of a past of its own: anyone who was to come may be checked in. */
let hoursAgo = 0;
async function aVisit({ database, clinic }: TestDashboard): Promise<{ id: string; day: string }> {
  hoursAgo += 1;
  const startsAt = inHours(-24 - hoursAgo);
  const visit = { startsAt, patientName: `Came ${hoursAgo}`, mayBackdate: true };
  const { id } = await book(database, clinic, visit);
  return { id, day: localDayOf(startsAt, ZONE).date };
}

/** What another person does to all who are still expected, or were checked in. */
async function theirChange({ database, clinic }: TestDashboard): Promise<void> {
  const { tenantId } = clinic;
  await database
    .em()
    .execute(`UPDATE appointment SET version = version + 1 WHERE tenant_id = ? AND starts_at < now()`, [
      tenantId,
    ]);
}

export const APPOINTMENT_FORMS: Record<string, FormRow> = {
  '/patients': {
    by: 'rita',
    begin: async () => ({ page: '/patients', action: '/patients' }),
    fill: (page, nr) => page.locator('input[name="asked"]').fill(`No one ${nr}`),
    isQuestion: true,
  },
  '/appointments/new': {
    by: 'rita',
    async begin(dashboard) {
      await openAllDay(dashboard);
      const { serviceTypeId } = dashboard.clinic;
      return {
        page: `/appointments/new?day=${dayIn(20)}&service=${serviceTypeId}`,
        action: '/appointments/new',
      };
    },
    isAskedAgain: true,
    isFilledInAgain: true,
    async fill(page, nr) {
      await page.locator('input[name="patientName"]').fill(`New patient ${nr}`);
      await page.locator('input[name="patientPhone"]').fill('912 345 678');
      await page.locator('textarea[name="patientNotes"]').fill('Two\nlines');
      await chosenTime(page).check();
    },
    async theirs({ database, clinic }, _at, page) {
      const [startsAt = '', professionalId = ''] = (
        await page.locator('input[name="time"]:checked').inputValue()
      ).split('/');
      await book(database, clinic, { startsAt: new Date(startsAt), professionalId, patientName: 'Faster' });
    },
    choosesOtherwise: chooseAnotherDay,
    isFollowed: true,
  },
  '/appointments/:id/move': {
    by: 'rita',
    async begin(dashboard) {
      await openAllDay(dashboard);
      const page = `/appointments/${await anAppointment(dashboard)}/move`;
      return { page, action: page };
    },
    isAskedAgain: true,
    fill: (page) => chosenTime(page).check(),
    theirs: ({ database, clinic }, at) => change(database, clinic, idIn(at), { patientNotes: 'Comes late' }),
    choosesOtherwise: chooseAnotherDay,
    isFollowed: true,
  },
  '/appointments/:id/edit': {
    by: 'rita',
    async begin(dashboard) {
      const page = `/appointments/${await anAppointment(dashboard)}/edit`;
      return { page, action: page };
    },
    isAskedAgain: true,
    fill: (page, nr) => page.locator('textarea[name="patientNotes"]').fill(`Allergy ${nr}`),
    theirs: ({ database, clinic }, at) => change(database, clinic, idIn(at), { patientNotes: 'Comes late' }),
  },
  '/appointments/check-in': {
    by: 'rita',
    async begin(dashboard) {
      const { day } = await aVisit(dashboard);
      return { page: `/appointments?day=${day}`, action: '/appointments/check-in' };
    },
    theirs: theirChange,
  },
  '/appointments/check-in/undo': {
    by: 'rita',
    async begin(dashboard) {
      const { id, day } = await aVisit(dashboard);
      await change(dashboard.database, dashboard.clinic, id, { status: 'attended' });
      return { page: `/appointments?day=${day}&settled=${id}`, action: '/appointments/check-in/undo' };
    },
    theirs: theirChange,
  },
  '/appointments/:id attended': settling('attended'),
  '/appointments/:id no_show': settling('no_show', -60),
  '/appointments/:id cancelled': {
    ...settling('cancelled'),
    fill: (page) => page.locator('details.cancellation summary').click(),
    theirs: ({ database, clinic }, at) => change(database, clinic, idIn(at), { status: 'attended' }),
  },
  '/appointments/:id/take-back': {
    by: 'rita',
    async begin(dashboard) {
      const id = await anAppointment(dashboard);
      await change(dashboard.database, dashboard.clinic, id, { status: 'attended' });
      return { page: `/appointments/${id}`, action: `/appointments/${id}/take-back` };
    },
    theirs: ({ database, clinic }, at) => change(database, clinic, idIn(at), { patientNotes: 'Comes late' }),
  },
};

/** The same at the support desk: it is shown, and written down that it was. */
export async function supportedAppointment(dashboard: TestDashboard): Promise<FormAt> {
  const page = `/support/appointments/${await anAppointment(dashboard)}`;
  return { page, action: `${page}/patient` };
}
