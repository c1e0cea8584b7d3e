import {
  createProfessional,
  updateProfessional,
} from '../../commands/clinic/professionals/save-professional.ts';
import { lockTenant } from '../../commands/clinic/lock-tenant.ts';
import { listProfessionals } from '../../db/clinic/professionals.ts';
import type { PageByName } from '../../db/clinic/page-by-name.ts';
import { savedNotice, savedQuery } from '../edits/edit-parts.ts';
import { blankValues, readAll, sentValues } from '../edits/form-fields.ts';
import { blankEdit, editOf, saveEdit } from '../edits/save-edit.ts';
import { showTicked } from '../filled-in.schema.ts';
import { readPageByName } from '../page-by-name.ts';
import {
  clinicPage,
  type ClinicRequest,
  type PageRoute,
  type Reply,
  type Page,
} from '../serving/page-request.ts';
import { PROFESSIONAL_FORM, professionalForm, PROFESSIONALS } from './professional-form.ts';
import { hoursPages } from './hours-pages.ts';
import { requireProfessional } from './require-professional.ts';
import { TEAM_WORDS } from './words.ts';
import type { ProfessionalRow } from '../../db/entities/professional.entity.ts';
import { html, type Html } from '../../pages/html.ts';
import { badge, nextPage, table } from '../layout/components.ts';
import type { View } from '../layout/view.ts';
import { FRAME_WORDS } from '../layout/words.ts';

const AT_FIRST = { active: showTicked(true) };

/** The pages of Settings → Professionals. */
export function teamPages(): PageRoute[] {
  return [
    clinicPage('GET', PROFESSIONALS, 'settings', async ({ tenantId, query, view, read }) => {
      const list = (page: PageByName) =>
        read((em) => listProfessionals(em, tenantId, { withInactive: true, page }));
      const { rows, cursor } = await readPageByName(query, list, (professional) => professional);
      const saved = savedNotice(view, query, PROFESSIONAL_FORM, TEAM_WORDS[view.language]);
      return professionalListPage(view, rows, { cursor, saved });
    }),
    clinicPage('GET', `${PROFESSIONALS}/new`, 'settings', async ({ view }) => {
      const edit = blankEdit(blankValues(PROFESSIONAL_FORM, AT_FIRST));
      return professionalForm(view, { id: null, edit });
    }),
    clinicPage('POST', `${PROFESSIONALS}/new`, 'settings', addProfessional),
    clinicPage('GET', `${PROFESSIONALS}/:id`, 'settings', async (request) => {
      const edit = editOf(PROFESSIONAL_FORM, await request.read((em) => requireProfessional(em, request)));
      return professionalForm(request.view, { id: request.id, edit });
    }),
    clinicPage('POST', `${PROFESSIONALS}/:id`, 'settings', changeProfessional),
    ...hoursPages(),
  ];
}

async function addProfessional(request: ClinicRequest): Promise<Reply> {
  const { tenantId, form, view, context, write } = request;
  const values = blankValues(PROFESSIONAL_FORM, { ...AT_FIRST, ...sentValues(PROFESSIONAL_FORM, form) });
  const { read: fields, wrong } = readAll(PROFESSIONAL_FORM, values);
  if (wrong) return professionalForm(view, { id: null, edit: blankEdit(values, wrong) });
  await write((em) => createProfessional(em, { tenantId, fields }, context));
  return { to: PROFESSIONALS };
}

async function changeProfessional(request: ClinicRequest): Promise<Reply> {
  const { tenantId, view, context } = request;
  const id = request.id;
  const edited = await saveEdit(request, {
    fields: PROFESSIONAL_FORM,
    hold: async (em) => {
      await lockTenant(em, tenantId);
      return requireProfessional(em, request);
    },
    save: (em, fields) => updateProfessional(em, { tenantId, professionalId: id, fields }, context),
  });
  if (edited.isSaved) return { to: `${PROFESSIONALS}?${savedQuery(edited.theirs)}` };
  return professionalForm(view, { id, edit: edited.edit });
}

interface ListExtras {
  /** The cursor of the next page. */
  cursor: string | null;
  /** A confirmation. */
  saved: Html | null;
}

function professionalListPage(
  view: View,
  professionals: readonly ProfessionalRow[],
  { cursor, saved }: ListExtras,
): Page {
  const words = TEAM_WORDS[view.language];
  const { heads } = words;
  const title = FRAME_WORDS[view.language].sections.team;
  return {
    title,
    body: html`${saved}
      <p class="actions"><a class="button" href="/settings/professionals/new">${words.add}</a></p>
      ${table({
        caption: title,
        heads: [heads.name, heads.specialty, heads.email, heads.state],
        rows: professionals.map(({ id, name, title: honorific, specialty, email, active }) => ({
          cells: [
            html`<a href="/settings/professionals/${id}">${honorific} ${name}</a>`,
            specialty,
            email ?? '–',
            active ? badge('good', words.active) : badge('idle', words.left),
          ],
        })),
        empty: words.none,
      })}
      ${nextPage(new URLSearchParams(), cursor, words.next)}`,
  };
}
