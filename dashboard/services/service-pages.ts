import { isolated } from '../../domain/text/isolated-text.ts';
import { lockTenant } from '../../commands/clinic/lock-tenant.ts';
import { createService, updateService } from '../../commands/clinic/services/save-service.ts';
import { findProfessionalNames, listProfessionals } from '../../db/clinic/professionals.ts';
import { findService, listServices, type ServiceWithProfessionals } from '../../db/clinic/services.ts';
import type { PageByName } from '../../db/clinic/page-by-name.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import { notFound } from '../../domain/service-error.ts';
import { savedNotice, savedQuery } from '../edits/edit-parts.ts';
import { blankValues, readAll, sentValues } from '../edits/form-fields.ts';
import { blankEdit, editOf, saveEdit, type Edit } from '../edits/save-edit.ts';
import { showTicked } from '../filled-in.schema.ts';
import { readPageByName } from '../page-by-name.ts';
import {
  clinicPage,
  type ClinicRequest,
  type Page,
  type PageRoute,
  type Reply,
} from '../serving/page-request.ts';
import { SERVICE_FORM, serviceForm, SERVICES, type ShownOfService } from './service-form.ts';
import { SERVICE_WORDS } from './words.ts';
import { html, type Html } from '../../pages/html.ts';
import { badge, nextPage, table } from '../layout/components.ts';
import type { View } from '../layout/view.ts';
import { FRAME_WORDS } from '../layout/words.ts';

const AT_FIRST = { durationMinutes: '30', bufferMinutes: '0', active: showTicked(true) };

/** The pages of Settings → Services. */
export function servicePages(): PageRoute[] {
  return [
    clinicPage('GET', SERVICES, 'settings', async ({ tenantId, query, view, read }) => {
      const list = (page: PageByName) =>
        read((em) => listServices(em, tenantId, { withInactive: true, page }));
      const { rows: services, cursor } = await readPageByName(query, list, ({ service }) => service);
      const named = services.flatMap(({ eligibleProfessionalIds: ids }) => ids.slice(0, MAX_NAMED));
      const names = await read((em) => findProfessionalNames(em, tenantId, new Set(named)));
      const saved = savedNotice(view, query, SERVICE_FORM, SERVICE_WORDS[view.language]);
      return serviceListPage(view, { services, names, cursor, saved });
    }),
    clinicPage('GET', `${SERVICES}/new`, 'settings', (request) =>
      newPage(request, blankEdit(blankValues(SERVICE_FORM, AT_FIRST))),
    ),
    clinicPage('POST', `${SERVICES}/new`, 'settings', addService),
    clinicPage('GET', `${SERVICES}/:id`, 'settings', async (request) => {
      const found = await request.read((em) => requireService(em, request));
      return editPage(request, editOf(SERVICE_FORM, found));
    }),
    clinicPage('POST', `${SERVICES}/:id`, 'settings', changeService),
  ];
}

async function addService(request: ClinicRequest): Promise<Reply> {
  const { tenantId, form, context, write } = request;
  const values = blankValues(SERVICE_FORM, { ...AT_FIRST, ...sentValues(SERVICE_FORM, form) });
  const { read: wanted, wrong } = readAll(SERVICE_FORM, values);
  if (wrong) return newPage(request, blankEdit(values, wrong));
  const { professional: professionalIds, ...fields } = wanted;
  await write((em) => createService(em, { tenantId, fields, professionalIds }, context));
  return { to: SERVICES };
}

async function changeService(request: ClinicRequest): Promise<Reply> {
  const { tenantId, context } = request;
  const edited = await saveEdit(request, {
    fields: SERVICE_FORM,
    hold: async (em) => {
      await lockTenant(em, tenantId);
      return requireService(em, request);
    },
    save: (em, { professional: professionalIds, ...fields }) =>
      updateService(em, { tenantId, serviceId: request.id, fields, professionalIds }, context),
  });
  if (edited.isSaved) return { to: `${SERVICES}?${savedQuery(edited.theirs)}` };
  return editPage(request, edited.edit);
}

async function newPage(request: ClinicRequest, edit: Edit<ShownOfService>): Promise<Page> {
  const professionals = await professionalsOf(request);
  return serviceForm(request.view, { id: null, professionals, edit });
}

async function editPage(request: ClinicRequest, edit: Edit<ShownOfService>): Promise<Page> {
  const professionals = await professionalsOf(request);
  return serviceForm(request.view, { id: request.id, professionals, edit });
}

/** The clinic's professionals, also inactive ones, because a service may still list them. */
const professionalsOf = ({ tenantId, read }: ClinicRequest) =>
  read((em) => listProfessionals(em, tenantId, { withInactive: true }));

async function requireService(em: EntityManager, request: ClinicRequest): Promise<ServiceWithProfessionals> {
  const id = request.id;
  const found = await findService(em, request.tenantId, id);
  if (!found) throw notFound('service', id);
  return found;
}

/** The most professionals of a service that are named; the others are only counted. */
const MAX_NAMED = 5;

interface ServiceList {
  services: readonly ServiceWithProfessionals[];
  /** The names of the professionals. */
  names: ReadonlyMap<string, string>;
  /** The cursor of the next page. */
  cursor: string | null;
  /** A confirmation. */
  saved: Html | null;
}

function serviceListPage(view: View, { services, names, cursor, saved }: ServiceList): Page {
  const words = SERVICE_WORDS[view.language];
  const { heads } = words;
  const title = FRAME_WORDS[view.language].sections.services;
  return {
    title,
    body: html`${saved}
      <p class="actions"><a class="button" href="/settings/services/new">${words.add}</a></p>
      ${table({
        caption: title,
        heads: [heads.name, heads.lasts, heads.price, heads.who, heads.state],
        rows: services.map(({ service, eligibleProfessionalIds: ids }) => ({
          cells: [
            html`<a href="/settings/services/${service.id}">${service.name}</a>`,
            `${service.durationMinutes} ${words.minutes}`,
            service.priceEur === null ? '–' : view.format.euros(Number(service.priceEur)),
            whoOffers(view, ids, names),
            service.active ? badge('good', words.active) : badge('idle', words.ended),
          ],
        })),
        empty: words.none,
      })}
      ${nextPage(new URLSearchParams(), cursor, words.next)}`,
  };
}

function whoOffers(view: View, ids: readonly string[], names: ReadonlyMap<string, string>): string {
  const words = SERVICE_WORDS[view.language];
  if (ids.length === 0) return words.everybody;
  const named = ids
    .slice(0, MAX_NAMED)
    .map((id) => isolated(names.get(id) ?? ''))
    .join(', ');
  const others = ids.length - MAX_NAMED;
  return others > 0 ? `${named} ${words.more(view.format.number(others))}` : named;
}
