import { z } from 'zod';
import { lockTenant, requireTenant } from '../../commands/clinic/lock-tenant.ts';
import { updateTenant } from '../../commands/clinic/update-tenant.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { listServices } from '../../db/clinic/services.ts';
import type { TenantRow } from '../../db/entities/tenant.entity.ts';
import { clinicHoursOf } from '../../domain/clinic/hours/business-hours.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { savedQuery } from '../edits/edit-parts.ts';
import type { FormFields, NameOf, Values } from '../edits/form-fields.ts';
import { saveEdit, sentEdit, type Edit } from '../edits/save-edit.ts';
import { clinicPage, type ClinicRequest, type PageRoute, type Reply } from '../serving/page-request.ts';
import { datesAfter, TooManyDates } from '../week/dates-form.ts';
import { withCopiedDays } from '../week/opening-inputs.ts';
import { weekIn } from '../week/week-form.ts';
import { AddressMissing, BOOKING_FORM, saveBooking } from './booking-form.ts';
import { CLINIC_FORM, saveClinic, RECEPTIONIST_FORM, saveReceptionist } from './settings-forms.ts';
import {
  clinicDatesForm,
  HOURS_FORM,
  PAGE_OF,
  PARTS,
  SETTINGS_ADDRESSES,
  settingsOf,
  settingsPage,
  type Settings,
  type SettingsPart,
} from './settings-page.ts';

const partField = z.enum(PARTS);

/** The pages of the settings, except for the team, the services and the logs. */
export function settingsPages(options: SettingsOptions): PageRoute[] {
  return SETTINGS_ADDRESSES.flatMap((address) => [
    clinicPage('GET', address, 'settings', async (request) => {
      const shown = await readShown(request, options, address);
      return settingsPage(request.view, address, { ...shown, edits: settingsOf(shown.tenant) });
    }),
    // A form is sent to its own page, so that a mistake is shown on that page and the menu stays the same.
    clinicPage('POST', address, 'settings', async (request) => {
      const part = partField.safeParse(request.form.get('part') ?? 'clinic').data;
      if (part === undefined)
        throw new ServiceError('malformed_request', 'The settings have no section with this name.');
      return SAVERS[part]({ ...request, form: withCopiedDays(request.form) }, options);
    }),
  ]);
}

export interface SettingsOptions {
  /** The base of the public booking page's address. */
  dashboardUrl: string;
}

async function readShown(
  { tenantId, query, read }: ClinicRequest,
  { dashboardUrl }: SettingsOptions,
  address: string,
) {
  return read(async (em) => ({
    tenant: await requireTenant(em, tenantId),
    services: address === '/settings/booking' ? await listServices(em, tenantId, { withInactive: true }) : [],
    query,
    dashboardUrl,
  }));
}

/** How a part of the settings is saved. */
interface Saver<Reads> {
  fieldsOf: (shown: TenantRow, sent: URLSearchParams) => FormFields<TenantRow, Reads>;
  save: (
    em: EntityManager,
    request: ClinicRequest,
    changes: Partial<Reads>,
    values: Values<Reads>,
  ) => Promise<unknown>;
  /** How a refusal is shown; null if it is not handled here. */
  refused?: (error: unknown) => (Mistakes & { wrong?: NameOf<Reads>[] }) | null;
}

type Mistakes = Pick<Settings, 'addressProblem' | 'areTooMany'>;

type Save = (request: ClinicRequest, options: SettingsOptions) => Promise<Reply>;

const SAVERS: Record<SettingsPart, Save> = {
  clinic: saver('clinic', {
    fieldsOf: () => CLINIC_FORM,
    save: (em, { tenantId, context }, changes) => saveClinic(em, tenantId, changes, context),
  }),
  booking: saver('booking', {
    fieldsOf: () => BOOKING_FORM,
    save: (em, { tenantId, context }, changes, values) =>
      saveBooking(em, tenantId, { changes, values }, context),
    refused: (error) => {
      const isTaken = error instanceof ServiceError && error.code === 'public_slug_taken';
      if (!isTaken && !(error instanceof AddressMissing)) return null;
      return { addressProblem: isTaken ? 'taken' : 'missing', wrong: ['publicSlug'] };
    },
  }),
  hours: saver('hours', {
    fieldsOf: () => HOURS_FORM,
    save: (em, { tenantId, context }, changes, values) =>
      updateTenant(em, { tenantId, config: { businessHours: weekIn(changes, values) } }, context),
  }),
  dates: saver('dates', {
    fieldsOf: clinicDatesForm,
    save: async (em, { tenantId, context }, changes) => {
      const { config } = await lockTenant(em, tenantId);
      const specialHours = datesAfter(clinicHoursOf(config).special, changes);
      return updateTenant(em, { tenantId, config: { specialHours } }, context);
    },
    refused: (error) => (error instanceof TooManyDates ? { areTooMany: true } : null),
  }),
  receptionist: saver('receptionist', {
    fieldsOf: () => RECEPTIONIST_FORM,
    save: (em, { tenantId, context }, changes, values) =>
      saveReceptionist(em, tenantId, { changes, values }, context),
  }),
};

function saver<Reads>(part: SettingsPart, { fieldsOf, save, refused }: Saver<Reads>) {
  return async (request: ClinicRequest, options: SettingsOptions): Promise<Reply> => {
    const { tenantId, form, view } = request;
    const page = await readShown(request, options, PAGE_OF[part]);
    const shown = page.tenant;
    const fields = fieldsOf(shown, form);
    const show = (tenant: TenantRow, edit: Edit<Reads>, mistakes: Mistakes = {}) => {
      const edits = { ...settingsOf(tenant), [part]: edit };
      return settingsPage(view, PAGE_OF[part], { ...page, tenant, edits, ...mistakes });
    };
    try {
      const edited = await saveEdit(request, {
        fields,
        hold: (em) => lockTenant(em, tenantId),
        save: (em, changes, values) => save(em, request, changes, values),
      });
      if (!edited.isSaved) return show(edited.row, edited.edit);
      return { to: `${PAGE_OF[part]}?${savedQuery(edited.theirs, part)}` };
    } catch (error) {
      const refusal = refused?.(error);
      if (!refusal) throw error;
      const { wrong, ...mistakes } = refusal;
      return show(shown, sentEdit(fields, { row: shown, form, wrong: new Set(wrong) }), mistakes);
    }
  };
}
