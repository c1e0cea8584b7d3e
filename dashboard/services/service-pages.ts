import { createService } from '../../commands/clinic/create-service.ts';
import { updateService } from '../../commands/clinic/update-service.ts';
import { listProfessionals } from '../../db/clinic/list-professionals.ts';
import { listServices, type ServiceWithProfessionals } from '../../db/clinic/list-services.ts';
import { notFound } from '../../domain/service-error.ts';
import { clinicPage, type ClinicRequest, type Page, type PageRoute } from '../page-request.ts';
import { readFields } from '../read-fields.ts';
import { serviceFields, serviceForm } from './service-form.ts';
import { serviceListPage } from './service-list-page.ts';
import { SERVICE_WORDS } from './words.ts';

const ADDRESS = '/settings/services';

/** Settings → Services. */
export function servicePages(): PageRoute[] {
  return [
    clinicPage('GET', ADDRESS, 'settings', async (request) =>
      serviceListPage(request.view, await servicesOf(request), await professionalsOf(request)),
    ),
    clinicPage('GET', `${ADDRESS}/new`, 'settings', (request) =>
      newPage(request, new URLSearchParams({ durationMinutes: '30', bufferMinutes: '0' })),
    ),
    clinicPage('POST', `${ADDRESS}/new`, 'settings', async (request) => {
      const { tenantId, form, context, write } = request;
      const { fields, wrong } = readFields(serviceFields, form);
      if (wrong) return newPage(request, form, wrong);
      const professionalIds = form.getAll('professional');
      await write((em) => createService(em, { ...fields, tenantId, professionalIds }, context));
      return { to: ADDRESS };
    }),
    clinicPage('GET', `${ADDRESS}/:id`, 'settings', async (request) => {
      const services = await servicesOf(request);
      const found = services.find(({ service }) => service.id === request.path['id']);
      if (!found) throw notFound('service', request.path['id'] ?? '');
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

const servicesOf = ({ tenantId, read }: ClinicRequest) => read((em) => listServices(em, tenantId));

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
