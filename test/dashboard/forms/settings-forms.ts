import type { Page } from 'playwright-core';
import {
  createProfessional,
  updateProfessional,
} from '../../../commands/clinic/professionals/save-professional.ts';
import { updateService } from '../../../commands/clinic/services/save-service.ts';
import { updateTenant, type UpdateTenant } from '../../../commands/clinic/update-tenant.ts';
import { PAGE_OF, type SettingsPart } from '../../../dashboard/settings/settings-page.ts';
import { ServiceTypeEntity } from '../../../db/entities/service-type.entity.ts';
import { asOperator } from '../../support/clinic.ts';
import type { TestDashboard } from '../../support/pages/dashboard-server.ts';
import { idIn, type FormAt, type FormRow } from './form-rows.ts';

const PROFESSIONALS = '/settings/professionals';
const SERVICES = '/settings/services';

function settings(part: SettingsPart, row: Pick<FormRow, 'fill'>, theirs: Partial<UpdateTenant>): FormRow {
  return {
    by: 'ana',
    holds: ['part', part],
    begin: async () => ({ page: PAGE_OF[part], action: `${PAGE_OF[part]}#${part}` }),
    isAskedAgain: true,
    theirs: ({ database, clinic: { tenantId } }) =>
      database.write((em) => updateTenant(em, { tenantId, ...theirs }, asOperator())),
    ...row,
  };
}

let services = 0;

async function aService({ database, clinic }: TestDashboard): Promise<FormAt> {
  services += 1;
  const id = `0195571c-5a60-7a3e-9f00-${String(services).padStart(12, '0')}`;
  const { tenantId } = clinic;
  await database
    .em()
    .insert(ServiceTypeEntity, { id, tenantId, name: `Cleaning ${services}`, durationMinutes: 30 });
  return { page: `${SERVICES}/${id}`, action: `${SERVICES}/${id}` };
}

async function aProfessional({ database, clinic: { tenantId } }: TestDashboard): Promise<FormAt> {
  const fields = {
    name: 'Marta',
    title: null,
    specialty: 'Dentistry',
    bio: null,
    email: null,
    active: true,
    workingHours: null,
    specialHours: null,
    externalId: null,
    metadata: {},
  };
  const { id } = await database.write((em) => createProfessional(em, { tenantId, fields }, asOperator()));
  return { page: `${PROFESSIONALS}/${id}`, action: `${PROFESSIONALS}/${id}` };
}

async function fillMonday(page: Page, nr: number): Promise<void> {
  await page.locator('input[type="checkbox"][name="always"]').uncheck();
  await page.locator('input[name="mon-0-from"]').fill(`09:${String(nr % 60).padStart(2, '0')}`);
  await page.locator('input[name="mon-0-to"]').fill('13:00');
}

/** Into the first of the rows for new dates. */
async function addDate(page: Page, form: string, nr: number): Promise<void> {
  const row = page.locator(`form[action$="${form}"] tr:has(input[type="date"])`).first();
  const date = new Date(Date.UTC(2031, 0, nr));
  await row.locator('input[type="date"]').fill(date.toISOString().slice(0, 10));
  await row.locator('input[type="time"]').nth(0).fill('09:00');
  await row.locator('input[type="time"]').nth(1).fill('12:00');
}

function hoursOf({ page }: FormAt, part: string): FormAt {
  return { page: `${page}/hours`, action: `${page}/hours#${part}` };
}

export const SETTINGS_FORMS: Record<string, FormRow> = {
  '/settings clinic': settings(
    'clinic',
    { fill: (page, nr) => page.locator('input[name="name"]').fill(`Clínica ${nr}`) },
    { name: 'Clínica do Miguel' },
  ),
  '/settings/hours hours': settings(
    'hours',
    { fill: fillMonday },
    { config: { businessHours: { mon: [['10:00', '20:00']] } } },
  ),
  '/settings/hours dates': {
    ...settings('dates', { fill: (page, nr) => addDate(page, '/settings/hours#dates', nr) }, {}),
    theirs: undefined,
  },
  '/settings/receptionist receptionist': settings(
    'receptionist',
    { fill: (page, nr) => page.locator('textarea[name="greeting"]').fill(`Olá ${nr}`) },
    { config: { greeting: 'Bom dia!' } },
  ),
  '/settings/booking booking': settings(
    'booking',
    { fill: (page, nr) => page.locator('input[name="publicSlug"]').fill(`clinic-${nr}`) },
    { publicSlug: 'of-miguel' },
  ),
  [`${PROFESSIONALS}/new`]: {
    by: 'ana',
    begin: async () => ({ page: `${PROFESSIONALS}/new`, action: `${PROFESSIONALS}/new` }),
    isAskedAgain: true,
    async fill(page, nr) {
      await page.locator('input[name="name"]').fill(`Marta ${nr}`);
      await page.locator('input[name="specialty"]').fill('Endodontics');
    },
  },
  [`${PROFESSIONALS}/:id`]: {
    by: 'ana',
    begin: aProfessional,
    isAskedAgain: true,
    fill: (page, nr) => page.locator('textarea[name="bio"]').fill(`Speaks ${nr} languages`),
    theirs: ({ database, clinic: { tenantId } }, at) =>
      database.write((em) =>
        updateProfessional(
          em,
          { tenantId, professionalId: idIn(at), fields: { bio: 'Has left' } },
          asOperator(),
        ),
      ),
  },
  [`${PROFESSIONALS}/:id/hours week`]: {
    by: 'ana',
    holds: ['part', 'week'],
    begin: async (dashboard) => hoursOf(await aProfessional(dashboard), 'week'),
    isAskedAgain: true,
    fill: fillMonday,
    theirs: ({ database, clinic: { tenantId } }, at) => {
      const fields = { workingHours: { mon: [['10:00', '20:00']] as [string, string][] } };
      const change = { tenantId, professionalId: idIn(at), fields };
      return database.write((em) => updateProfessional(em, change, asOperator()));
    },
  },
  [`${PROFESSIONALS}/:id/hours dates`]: {
    by: 'ana',
    holds: ['part', 'dates'],
    begin: async (dashboard) => hoursOf(await aProfessional(dashboard), 'dates'),
    isAskedAgain: true,
    fill: (page, nr) => addDate(page, '#dates', nr),
  },
  [`${SERVICES}/new`]: {
    by: 'ana',
    begin: async () => ({ page: `${SERVICES}/new`, action: `${SERVICES}/new` }),
    isAskedAgain: true,
    fill: (page, nr) => page.locator('input[name="name"]').fill(`Whitening ${nr}`),
  },
  [`${SERVICES}/:id`]: {
    by: 'ana',
    begin: aService,
    isAskedAgain: true,
    fill: (page, nr) => page.locator('input[name="durationMinutes"]').fill(String(35 + (nr % 60))),
    theirs: ({ database, clinic: { tenantId } }, at) =>
      database.write((em) =>
        updateService(
          em,
          { tenantId, serviceId: idIn(at), fields: { durationMinutes: 20 }, professionalIds: undefined },
          asOperator(),
        ),
      ),
  },
};
