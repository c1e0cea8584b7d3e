import { z } from 'zod';
import { lockTenant } from '../../commands/clinic/lock-tenant.ts';
import { updateProfessional } from '../../commands/clinic/professionals/save-professional.ts';
import { savedQuery } from '../edits/edit-parts.ts';
import { saveEdit, sentEdit, type Edited } from '../edits/save-edit.ts';
import { clinicPage, type ClinicRequest, type PageRoute, type Reply } from '../serving/page-request.ts';
import type { ProfessionalRow } from '../../db/entities/professional.entity.ts';
import { datesAfter, TooManyDates } from '../week/dates-form.ts';
import { weekIn } from '../week/week-form.ts';
import {
  HOURS_PARTS,
  hoursOf,
  hoursPage,
  OWN_WEEK_FORM,
  ownDatesForm,
  type HoursPart,
} from './hours-page.ts';
import { PROFESSIONALS } from './professional-form.ts';
import { idOf, requireProfessional } from './require-professional.ts';

const PATH = `${PROFESSIONALS}/:id/hours`;
const partField = z.enum(HOURS_PARTS);

/** Settings → Professionals → hours. */
export function hoursPages(): PageRoute[] {
  return [
    clinicPage('GET', PATH, 'settings', async ({ view, query, read, ...request }) => {
      const professional = await read((em) => requireProfessional(em, request));
      return hoursPage(view, { professional, edits: hoursOf(professional), query });
    }),
    clinicPage('POST', PATH, 'settings', (request) => {
      const part = partField.safeParse(request.form.get('part')).data ?? 'week';
      return part === 'week' ? saveWeek(request) : saveDates(request);
    }),
  ];
}

async function saveWeek(request: ClinicRequest): Promise<Reply> {
  const { tenantId, context } = request;
  const edited = await saveEdit(request, {
    fields: OWN_WEEK_FORM,
    hold: (em) => hold(em, request),
    save: (em, changes, values) => {
      const fields = { workingHours: weekIn(changes, values) };
      return updateProfessional(em, { tenantId, professionalId: idOf(request), fields }, context);
    },
  });
  return answer(request, 'week', edited);
}

async function saveDates(request: ClinicRequest): Promise<Reply> {
  const { tenantId, context, form, read, view, query } = request;
  const shown = await read((em) => requireProfessional(em, request));
  const fields = ownDatesForm(shown, form);
  try {
    const edited = await saveEdit(request, {
      fields,
      hold: (em) => hold(em, request),
      save: async (em, changes) => {
        const { specialHours: stored } = await requireProfessional(em, request);
        const change = { specialHours: datesAfter(stored, changes) };
        return updateProfessional(em, { tenantId, professionalId: idOf(request), fields: change }, context);
      },
    });
    return answer(request, 'dates', edited);
  } catch (error) {
    if (!(error instanceof TooManyDates)) throw error;
    const dates = sentEdit(fields, { row: shown, form, wrong: new Set() });
    return hoursPage(view, {
      professional: shown,
      edits: { ...hoursOf(shown), dates },
      query,
      areTooMany: true,
    });
  }
}

async function hold(em: Parameters<typeof lockTenant>[0], request: ClinicRequest): Promise<ProfessionalRow> {
  await lockTenant(em, request.tenantId);
  return requireProfessional(em, request);
}

function answer<Reads>(
  request: ClinicRequest,
  part: HoursPart,
  edited: Edited<ProfessionalRow, Reads>,
): Reply {
  const { view, query } = request;
  if (edited.isSaved)
    return { to: `${PROFESSIONALS}/${idOf(request)}/hours?${savedQuery(edited.theirs, part)}` };
  const { row: professional, edit } = edited;
  return hoursPage(view, { professional, edits: { ...hoursOf(professional), [part]: edit }, query });
}
