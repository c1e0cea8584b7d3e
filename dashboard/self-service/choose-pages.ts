import { listProfessionals } from '../../db/clinic/list-professionals.ts';
import { listServices, type ServiceWithProfessionals } from '../../db/clinic/list-services.ts';
import type { ProfessionalRow } from '../../db/entities/professional.entity.ts';
import { isForPatients } from '../../domain/clinic/self-service.ts';
import { html, type Html } from '../../pages/html.ts';
import { findTimesToBook } from '../appointments/free-times.ts';
import { choice } from '../layout/form.ts';
import type { Page } from '../page-request.ts';
import { rulesOf, type Guest } from './guest.ts';
import { offeredOn, type OfferedDay } from './offered-times.ts';
import { dayForm, timesPart } from './times-part.ts';
import { SELF_SERVICE_WORDS } from './words.ts';

/** What for, with whom, when. */
export async function choosePage(guest: Guest): Promise<Page> {
  const { query, clinic, read } = guest;
  const services = await read((em) => listServices(em, clinic.id));
  const open = services.filter(({ service }) => isForPatients(service.id, rulesOf(guest)));
  const chosen =
    open.length === 1 ? open[0] : open.find(({ service }) => service.id === query.get('service'));
  return chosen ? timePage(guest, chosen) : servicePage(guest, open);
}

function servicePage(
  { clinic, language, format, home }: Guest,
  open: readonly ServiceWithProfessionals[],
): Page {
  const words = SELF_SERVICE_WORDS[language];
  const title = words.title(clinic.name);
  if (open.length === 0) return { title, body: html`<p class="empty">${words.noServices}</p>` };
  const body = html`<h2>${words.service}</h2>
    <ul class="offers">
      ${open.map(({ service: { id, name, description, durationMinutes, priceEur } }) => {
        const price = priceEur === null ? null : ` · ${format.euros(Number(priceEur))}`;
        return html`<li>
          <a href="${home}?service=${id}">${name}</a>
          <span class="soft">${words.minutes(format.number(durationMinutes))}${price}</span>
          ${description !== null && html`<p class="soft">${description}</p>`}
        </li>`;
      })}
    </ul>`;
  return { title, body };
}

async function timePage(
  guest: Guest,
  { service, eligibleProfessionalIds }: ServiceWithProfessionals,
): Promise<Page> {
  const { query, clinic, read, language, home } = guest;
  const professionals = (await read((em) => listProfessionals(em, clinic.id))).filter(
    ({ id }) => eligibleProfessionalIds.length === 0 || eligibleProfessionalIds.includes(id),
  );
  const wished = professionals.find(({ id }) => id === query.get('professional'))?.id;
  const wanted = { tenantId: clinic.id, serviceTypeId: service.id, professionalId: wished };
  const offered = await offeredOn(guest, query.get('day'), (em, range) =>
    findTimesToBook(em, { ...wanted, range }, guest.context.now),
  );
  const words = SELF_SERVICE_WORDS[language];
  const chosen = { service: service.id, professional: wished ?? '' };
  return {
    title: words.title(clinic.name),
    body: html`<p>${service.name} <a class="soft" href="${home}">${words.service}</a></p>
      ${dayForm(guest, home, offered, whoAndWhat(guest, professionals, chosen))}
      ${offeredTimes(guest, offered, chosen)}`,
  };
}

interface Chosen {
  service: string;
  professional: string;
}

function whoAndWhat({ language }: Guest, professionals: readonly ProfessionalRow[], chosen: Chosen): Html {
  const words = SELF_SERVICE_WORDS[language];
  return html`<input type="hidden" name="service" value="${chosen.service}" /> ${choice({
      name: 'professional',
      label: words.professional,
      value: chosen.professional,
      options: [
        { value: '', label: words.anyone },
        ...professionals.map(({ id, name, title }) => ({
          value: id,
          label: title === null ? name : `${title} ${name}`,
        })),
      ],
    })}`;
}

function offeredTimes(guest: Guest, offered: OfferedDay, { service, professional }: Chosen): Html {
  const { home, format } = guest;
  const link = (day: string) => `${home}?${new URLSearchParams({ service, professional, day }).toString()}`;
  return html`<form method="get" action="${home}/details">
    <h2>${format.day(offered.day.from)}</h2>
    <input type="hidden" name="service" value="${service}" />
    <input type="hidden" name="professional" value="${professional}" />
    ${timesPart(guest, offered, link)}
  </form>`;
}
