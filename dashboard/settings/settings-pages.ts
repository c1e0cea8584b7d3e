import { z } from 'zod';
import { lockTenant, requireTenant } from '../../commands/clinic/lock-tenant.ts';
import { updateTenant } from '../../commands/clinic/update-tenant.ts';
import type { TenantRow } from '../../db/entities/tenant.entity.ts';
import { clinicHoursOf } from '../../domain/clinic/hours/business-hours.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { savedQuery } from '../edits/edit-parts.ts';
import { saveEdit, sentEdit, type Edited } from '../edits/save-edit.ts';
import { clinicPage, type ClinicRequest, type PageRoute, type Reply } from '../serving/page-request.ts';
import { datesAfter, TooManyDates } from '../week/dates-form.ts';
import { weekIn } from '../week/week-form.ts';
import { BOOKING_FORM } from './booking-form.ts';
import { CLINIC_FORM, saveClinic } from './clinic-form.ts';
import { RECEPTIONIST_FORM, saveReceptionist } from './receptionist-form.ts';
import {
  clinicDatesForm,
  HOURS_FORM,
  PAGE_OF,
  PARTS,
  SETTINGS_ADDRESSES,
  settingsOf,
  settingsPage,
  type SettingsPart,
} from './settings-page.ts';

const partField = z.enum(PARTS);

/** Settings, but for the team, the services and the audit. */
export function settingsPages(): PageRoute[] {
  return [
    ...SETTINGS_ADDRESSES.map((address) =>
      clinicPage('GET', address, 'settings', async ({ tenantId, query, view, read }) => {
        const tenant = await read((em) => requireTenant(em, tenantId));
        return settingsPage(view, address, { tenant, edits: settingsOf(tenant), query });
      }),
    ),
    clinicPage('POST', '/settings', 'settings', async (request) => {
      const part = partField.safeParse(request.form.get('part') ?? 'clinic').data;
      if (part === undefined) throw new ServiceError('malformed_request', 'The settings have no such part.');
      return SAVERS[part](request);
    }),
  ];
}

const SAVERS: Record<SettingsPart, (request: ClinicRequest) => Promise<Reply>> = {
  clinic: async (request) => {
    const { tenantId, context } = request;
    return answer(
      request,
      'clinic',
      await saveEdit(request, {
        ...held(request),
        fields: CLINIC_FORM,
        save: (em, changes) => saveClinic(em, tenantId, changes, context),
      }),
    );
  },
  booking: async (request) => {
    const { tenantId, context } = request;
    try {
      return answer(
        request,
        'booking',
        await saveEdit(request, {
          ...held(request),
          fields: BOOKING_FORM,
          save: (em, changes) => updateTenant(em, { ...changes, tenantId }, context),
        }),
      );
    } catch (error) {
      if (!(error instanceof ServiceError && error.code === 'public_slug_taken')) throw error;
      return slugTaken(request);
    }
  },
  hours: async (request) => {
    const { tenantId, context } = request;
    return answer(
      request,
      'hours',
      await saveEdit(request, {
        ...held(request),
        fields: HOURS_FORM,
        save: (em, changes, values) =>
          updateTenant(em, { tenantId, config: { businessHours: weekIn(changes, values) } }, context),
      }),
    );
  },
  dates: async (request) => {
    const { tenantId, context, form, view, query, read } = request;
    const shown = await read((em) => requireTenant(em, tenantId));
    const fields = clinicDatesForm(shown, form);
    try {
      const edited = await saveEdit(request, {
        ...held(request),
        fields,
        save: async (em, changes) => {
          const { config } = await lockTenant(em, tenantId);
          const specialHours = datesAfter(clinicHoursOf(config).special, changes);
          return updateTenant(em, { tenantId, config: { specialHours } }, context);
        },
      });
      return answer(request, 'dates', edited);
    } catch (error) {
      if (!(error instanceof TooManyDates)) throw error;
      const dates = sentEdit(fields, { row: shown, form, wrong: new Set() });
      const edits = { ...settingsOf(shown), dates };
      return settingsPage(view, PAGE_OF.dates, { tenant: shown, edits, query, areTooMany: true });
    }
  },
  receptionist: async (request) => {
    const { tenantId, context } = request;
    return answer(
      request,
      'receptionist',
      await saveEdit(request, {
        ...held(request),
        fields: RECEPTIONIST_FORM,
        save: (em, changes, values) => saveReceptionist(em, tenantId, { changes, values }, context),
      }),
    );
  },
};

function held({ tenantId }: ClinicRequest) {
  return { hold: (em: Parameters<typeof lockTenant>[0]) => lockTenant(em, tenantId) };
}

function answer<Reads>(
  { view, query }: ClinicRequest,
  part: SettingsPart,
  edited: Edited<TenantRow, Reads>,
): Reply {
  if (edited.isSaved) return { to: `${PAGE_OF[part]}?${savedQuery(edited.theirs, part)}` };
  const { row: tenant, edit } = edited;
  const edits = { ...settingsOf(tenant), [part]: edit };
  return settingsPage(view, PAGE_OF[part], { tenant, edits, query });
}

async function slugTaken({ tenantId, form, view, query, read }: ClinicRequest): Promise<Reply> {
  const tenant = await read((em) => requireTenant(em, tenantId));
  const booking = sentEdit(BOOKING_FORM, { row: tenant, form, wrong: new Set(['publicSlug'] as const) });
  const edits = { ...settingsOf(tenant), booking };
  return settingsPage(view, PAGE_OF.booking, { tenant, edits, query, isTaken: true });
}
