import { z } from 'zod';
import { lockTenant } from '../../commands/clinic/lock-tenant.ts';
import { updateProfessional } from '../../commands/clinic/professionals/save-professional.ts';
import { savedQuery, contestedNotice, savedNotice, statusOf, type FieldWords } from '../edits/edit-parts.ts';
import { saveEdit, sentEdit, type Edited, editOf, shownInput, type Edit } from '../edits/save-edit.ts';
import {
  clinicPage,
  type ClinicRequest,
  type PageRoute,
  type Reply,
  type Page,
} from '../serving/page-request.ts';
import type { ProfessionalRow } from '../../db/entities/professional.entity.ts';
import { datesAfter, TooManyDates, datesForm, type ShownOfDates } from '../week/dates-form.ts';
import { withCopiedDays } from '../week/opening-inputs.ts';
import { copyButton, weekIn, weekForm, weekInputs, type ShownOfWeek } from '../week/week-form.ts';
import { PROFESSIONALS } from './professional-form.ts';
import { requireProfessional } from './require-professional.ts';
import { openingsOfDay } from '../../domain/clinic/hours/working-hours.schema.ts';
import { html, type Html, type Part } from '../../pages/html.ts';
import type { FormFields } from '../edits/form-fields.ts';
import { notice } from '../layout/components.ts';
import { form } from '../layout/form.ts';
import type { View } from '../layout/view.ts';
import { datesInputs, datesWords } from '../week/dates-inputs.ts';
import { WEEK_WORDS } from '../week/words.ts';
import { TEAM_WORDS } from './words.ts';

/** The parts of the page; each is a separate form. */
const HOURS_PARTS = ['week', 'dates'] as const;

const PATH = `${PROFESSIONALS}/:id/hours`;
const partField = z.enum(HOURS_PARTS);

/** The page Settings → Professionals → Hours. */
export function hoursPages(): PageRoute[] {
  return [
    clinicPage('GET', PATH, 'settings', async ({ view, query, read, ...request }) => {
      const professional = await read((em) => requireProfessional(em, request));
      return hoursPage(view, { professional, edits: hoursOf(professional), query });
    }),
    clinicPage('POST', PATH, 'settings', (request) => {
      const part = partField.safeParse(request.form.get('part')).data ?? 'week';
      if (part === 'dates') return saveDates(request);
      return saveWeek({ ...request, form: withCopiedDays(request.form) });
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
      return updateProfessional(em, { tenantId, professionalId: request.id, fields }, context);
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
        return updateProfessional(em, { tenantId, professionalId: request.id, fields: change }, context);
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
    return { to: `${PROFESSIONALS}/${request.id}/hours?${savedQuery(edited.theirs, part)}` };
  const { row: professional, edit } = edited;
  return hoursPage(view, { professional, edits: { ...hoursOf(professional), [part]: edit }, query });
}

const OWN_WEEK_FORM = weekForm(({ workingHours }: ProfessionalRow) => workingHours, openingsOfDay);

/** @param form the submission */
function ownDatesForm(row: ProfessionalRow, form = new URLSearchParams()) {
  return datesForm(({ specialHours }: ProfessionalRow) => specialHours, { row, form });
}

type HoursPart = (typeof HOURS_PARTS)[number];

interface HoursEdits {
  week: Edit<ShownOfWeek>;
  dates: Edit<ShownOfDates>;
}

/** The forms as they are for the stored professional. */
function hoursOf(row: ProfessionalRow): HoursEdits {
  return { week: editOf(OWN_WEEK_FORM, row), dates: editOf(ownDatesForm(row), row) };
}

interface Hours {
  professional: ProfessionalRow;
  edits: HoursEdits;
  /** The query string of the page's address, which says what was saved. */
  query: URLSearchParams;
  areTooMany?: boolean;
}

/** The page with a professional's working hours: docs/clinic-settings.md#working-hours */
function hoursPage(view: View, { professional, edits, query, areTooMany = false }: Hours): Page {
  const { hours } = TEAM_WORDS[view.language];
  const { dates, weekdays } = WEEK_WORDS[view.language];
  const part = partOf(view, professional, query);
  const { id, name } = professional;
  return {
    title: hours.title(name),
    body: html`<p><a href="${PROFESSIONALS}/${id}">${name}</a></p>
      ${areTooMany && notice('bad', dates.tooMany)}
      ${part(
        { name: 'week', title: hours.week, fields: OWN_WEEK_FORM, edit: edits.week },
        { fields: { ...weekdays, always: hours.always } },
        html`<p>${hours.text}</p>
          ${weekInputs(view, edits.week, hours.always)}`,
      )}
      ${part(
        { name: 'dates', title: dates.title, fields: ownDatesForm(professional), edit: edits.dates },
        datesWords(view, ownDatesForm(professional)),
        html`<p>${dates.text} ${hours.datesText}</p>
          ${datesInputs(view, edits.dates)}`,
      )}`,
    status: areTooMany ? 422 : Math.max(statusOf(edits.week), statusOf(edits.dates)),
  };
}

interface ShownPart<Reads> {
  name: HoursPart;
  title: string;
  fields: FormFields<ProfessionalRow, Reads>;
  edit: Edit<Reads>;
}

function partOf(view: View, { id }: ProfessionalRow, query: URLSearchParams) {
  return <Reads>(
    { name, title, fields, edit }: ShownPart<Reads>,
    words: Pick<FieldWords<Reads>, 'fields'>,
    inputs: Part,
  ): Html =>
    html`<h2 id="${name}">${title}</h2>
      ${query.get('saved') === name && savedNotice(view, query, fields, words)} ${contestedNotice(view, edit)}
      ${form(
        view,
        { action: `${PROFESSIONALS}/${id}/hours#${name}` },
        html`<input type="hidden" name="part" value="${name}" />
          ${shownInput(edit)} ${inputs}
          <p class="actions">
            <button ${name !== 'week' && html`class="second"`}>${TEAM_WORDS[view.language].save}</button>
            ${name === 'week' && copyButton(view)}
          </p>`,
      )}`;
}
