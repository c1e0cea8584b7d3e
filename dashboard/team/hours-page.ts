import type { ProfessionalRow } from '../../db/entities/professional.entity.ts';
import { openingsOfDay } from '../../domain/clinic/hours/working-hours.schema.ts';
import { html, type Html, type Part } from '../../pages/html.ts';
import { contestedNotice, savedNotice, statusOf, type FieldWords } from '../edits/edit-parts.ts';
import type { FormFields } from '../edits/form-fields.ts';
import { editOf, shownInput, type Edit } from '../edits/save-edit.ts';
import { notice } from '../layout/components.ts';
import { form } from '../layout/form.ts';
import type { View } from '../layout/view.ts';
import type { Page } from '../serving/page-request.ts';
import { datesForm, type ShownOfDates } from '../week/dates-form.ts';
import { datesInputs, datesWords } from '../week/dates-inputs.ts';
import { weekForm, weekInputs, type ShownOfWeek } from '../week/week-form.ts';
import { WEEK_WORDS } from '../week/words.ts';
import { PROFESSIONALS } from './professional-form.ts';
import { TEAM_WORDS } from './words.ts';

export const OWN_WEEK_FORM = weekForm(({ workingHours }: ProfessionalRow) => workingHours, openingsOfDay);

/** @param form what was sent */
export function ownDatesForm(row: ProfessionalRow, form = new URLSearchParams()) {
  return datesForm(({ specialHours }: ProfessionalRow) => specialHours, { row, form });
}

/** Each is a form of its own. */
export const HOURS_PARTS = ['week', 'dates'] as const;
export type HoursPart = (typeof HOURS_PARTS)[number];

export interface HoursEdits {
  week: Edit<ShownOfWeek>;
  dates: Edit<ShownOfDates>;
}

/** As they are stored. */
export function hoursOf(row: ProfessionalRow): HoursEdits {
  return { week: editOf(OWN_WEEK_FORM, row), dates: editOf(ownDatesForm(row), row) };
}

export interface Hours {
  professional: ProfessionalRow;
  edits: HoursEdits;
  /** Of the page's address: what was saved. */
  query: URLSearchParams;
  areTooMany?: boolean;
}

/** When a professional works: docs/clinic-settings.md#working-hours */
export function hoursPage(view: View, { professional, edits, query, areTooMany = false }: Hours): Page {
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
          <p class="actions"><button>${TEAM_WORDS[view.language].save}</button></p>`,
      )}`;
}
