import type { z } from 'zod';
import { hasFields } from '../../commands/changed-fields.ts';
import { createService } from '../../commands/clinic/services/create-service.ts';
import { updateService } from '../../commands/clinic/services/update-service.ts';
import { findProfessionalNames, listProfessionals } from '../../db/clinic/list-professionals.ts';
import { findService, listServices, type ServiceWithProfessionals } from '../../db/clinic/list-services.ts';
import type { PageByName } from '../../db/clinic/page-by-name.ts';
import { notFound } from '../../domain/service-error.ts';
import { makeOnce } from '../made-once/make-once.ts';
import { readPageByName } from '../page-by-name.ts';
import { clinicPage, type ClinicRequest, type Page, type PageRoute, type Reply } from '../page-request.ts';
import { readFields } from '../read-fields.ts';
import { serviceFields, serviceForm } from './service-form.ts';
import { MOST_NAMED, serviceListPage } from './service-list-page.ts';
import { SERVICE_WORDS } from './words.ts';

const ADDRESS = '/settings/services';

/** Settings → Services. */
export function servicePages(): PageRoute[] {
  return [
    clinicPage('GET', ADDRESS, 'settings', async ({ tenantId, query, view, read }) => {
      const list = (page: PageByName) =>
        read((em) => listServices(em, tenantId, { withInactive: true, page }));
      const { rows: services, cursor } = await readPageByName(query, list, ({ service }) => service);
      const named = services.flatMap(({ eligibleProfessionalIds: ids }) => ids.slice(0, MOST_NAMED));
      const names = await read((em) => findProfessionalNames(em, tenantId, new Set(named)));
      return serviceListPage(view, { services, names, cursor });
    }),
    clinicPage('GET', `${ADDRESS}/new`, 'settings', (request) =>
      newPage(request, new URLSearchParams({ durationMinutes: '30', bufferMinutes: '0' })),
    ),
    clinicPage('POST', `${ADDRESS}/new`, 'settings', addService),
    clinicPage('GET', `${ADDRESS}/:id`, 'settings', async (request) => {
      const { tenantId, path, read } = request;
      const id = path['id'] ?? '';
      const found = await read((em) => findService(em, tenantId, id));
      if (!found) throw notFound('service', id);
      return editPage(request, formOf(found));
    }),
    clinicPage('POST', `${ADDRESS}/:id`, 'settings', async (request) => {
      const { tenantId, path, form, context, write } = request;
      const { fields, wrong } = readFields(serviceFields, form);
      if (wrong) return editPage(request, form, wrong);
      const change = {
        tenantId,
        serviceId: path['id'] ?? '',
        fields: { ...fields, active: form.get('active') === 'yes' },
        professionalIds: form.getAll('professional'),
      };
      await write((em) => updateService(em, change, context));
      return { to: ADDRESS };
    }),
  ];
}

async function addService(request: ClinicRequest): Promise<Reply> {
  const { tenantId, form, context, read, write } = request;
  const { fields, wrong } = readFields(serviceFields, form);
  if (wrong) return newPage(request, form, wrong);
  const wanted = { fields, professionalIds: form.getAll('professional') };
  await makeOnce(form, {
    find: (id) => read((em) => findService(em, tenantId, id)),
    isSame: (found) => isOf(wanted, found),
    make: (id) => write((em) => createService(em, { ...wanted, id, tenantId }, context)),
  });
  return { to: ADDRESS };
}

interface Wanted {
  fields: z.output<typeof serviceFields>;
  professionalIds: readonly string[];
}

function isOf(
  { professionalIds, fields }: Wanted,
  { service, eligibleProfessionalIds }: ServiceWithProfessionals,
) {
  const hasProfessionals = [...professionalIds].sort().join() === [...eligibleProfessionalIds].sort().join();
  return hasProfessionals && hasFields(service, fields);
}

/** Those who have left too: a service may still name them. */
const professionalsOf = ({ tenantId, read }: ClinicRequest) =>
  read((em) => listProfessionals(em, tenantId, { withInactive: true }));

async function newPage(
  request: ClinicRequest,
  given: URLSearchParams,
  wrong?: ReadonlySet<string>,
): Promise<Page> {
  const { view } = request;
  const title = SERVICE_WORDS[view.language].add;
  const professionals = await professionalsOf(request);
  return serviceForm(view, { title, action: `${ADDRESS}/new`, isThere: false, professionals, given, wrong });
}

async function editPage(
  request: ClinicRequest,
  given: URLSearchParams,
  wrong?: ReadonlySet<string>,
): Promise<Page> {
  const title = given.get('name') ?? '';
  const action = `${ADDRESS}/${request.path['id']}`;
  const professionals = await professionalsOf(request);
  return serviceForm(request.view, { title, action, isThere: true, professionals, given, wrong });
}

function formOf({ service, eligibleProfessionalIds }: ServiceWithProfessionals): URLSearchParams {
  const { name, description, durationMinutes, bufferMinutes, priceEur, active } = service;
  const form = new URLSearchParams({
    name,
    description: description ?? '',
    durationMinutes: String(durationMinutes),
    bufferMinutes: String(bufferMinutes),
    priceEur: priceEur ?? '',
    active: active ? 'yes' : '',
  });
  for (const id of eligibleProfessionalIds) form.append('professional', id);
  return form;
}
