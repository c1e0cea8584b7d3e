import { hasFields } from '../../commands/changed-fields.ts';
import { createProfessional } from '../../commands/clinic/professionals/create-professional.ts';
import { updateProfessional } from '../../commands/clinic/professionals/update-professional.ts';
import { findProfessional, listProfessionals } from '../../db/clinic/list-professionals.ts';
import type { PageByName } from '../../db/clinic/page-by-name.ts';
import type { ProfessionalRow } from '../../db/entities/professional.entity.ts';
import { notFound } from '../../domain/service-error.ts';
import type { View } from '../layout/view.ts';
import { makeOnce } from '../made-once/make-once.ts';
import { readPageByName } from '../page-by-name.ts';
import { clinicPage, type Page, type PageRoute } from '../page-request.ts';
import { readFields } from '../read-fields.ts';
import { professionalFields, professionalForm } from './professional-form.ts';
import { professionalListPage } from './professional-list-page.ts';
import { TEAM_WORDS } from './words.ts';

const ADDRESS = '/settings/professionals';

/** Settings → Professionals. */
export function teamPages(): PageRoute[] {
  return [
    clinicPage('GET', ADDRESS, 'settings', async ({ tenantId, query, view, read }) => {
      const list = (page: PageByName) =>
        read((em) => listProfessionals(em, tenantId, { withInactive: true, page }));
      const { rows, cursor } = await readPageByName(query, list, (professional) => professional);
      return professionalListPage(view, rows, cursor);
    }),
    clinicPage('GET', `${ADDRESS}/new`, 'settings', async ({ view }) => newPage(view, new URLSearchParams())),
    clinicPage('POST', `${ADDRESS}/new`, 'settings', async (request) => {
      const { tenantId, form, view, context, read, write } = request;
      const { fields, wrong } = readFields(professionalFields, form);
      if (wrong) return newPage(view, form, wrong);
      await makeOnce(form, {
        find: (id) => read((em) => findProfessional(em, tenantId, id)),
        isSame: (found) => hasFields(found, fields),
        make: (id) => write((em) => createProfessional(em, { id, tenantId, fields }, context)),
      });
      return { to: ADDRESS };
    }),
    clinicPage('GET', `${ADDRESS}/:id`, 'settings', async ({ tenantId, path, view, read }) => {
      const id = path['id'] ?? '';
      const professional = await read((em) => findProfessional(em, tenantId, id));
      if (!professional) throw notFound('professional', id);
      return editPage(view, id, formOf(professional));
    }),
    clinicPage('POST', `${ADDRESS}/:id`, 'settings', async (request) => {
      const { tenantId, form, view, context, write } = request;
      const professionalId = request.path['id'] ?? '';
      const { fields, wrong } = readFields(professionalFields, form);
      if (wrong) return editPage(view, professionalId, form, wrong);
      const change = { ...fields, active: form.get('active') === 'yes' };
      await write((em) => updateProfessional(em, { tenantId, professionalId, fields: change }, context));
      return { to: ADDRESS };
    }),
  ];
}

function newPage(view: View, given: URLSearchParams, wrong?: ReadonlySet<string>): Page {
  const title = TEAM_WORDS[view.language].add;
  return professionalForm(view, { title, action: `${ADDRESS}/new`, isThere: false, given, wrong });
}

function editPage(view: View, id: string, given: URLSearchParams, wrong?: ReadonlySet<string>): Page {
  const title = given.get('name') ?? '';
  return professionalForm(view, { title, action: `${ADDRESS}/${id}`, isThere: true, given, wrong });
}

function formOf({ name, title, specialty, email, bio, photoUrl, active }: ProfessionalRow): URLSearchParams {
  const filled = { name, specialty, title: title ?? '', email: email ?? '', bio: bio ?? '' };
  return new URLSearchParams({ ...filled, photoUrl: photoUrl ?? '', active: active ? 'yes' : '' });
}
