import { nameOf } from '../../commands/self-service/visit-details.ts';
import { listProfessionals } from '../../db/clinic/professionals.ts';
import { listServices, type ServiceWithProfessionals } from '../../db/clinic/services.ts';
import type { ProfessionalRow } from '../../db/entities/professional.entity.ts';
import type { ServiceTypeRow } from '../../db/entities/service-type.entity.ts';
import { isForPatients } from '../../domain/clinic/self-service.ts';
import { html, type Html } from '../../pages/html.ts';
import { findTimesToBook } from './times-for-patients.ts';
import { timeValue } from '../appointments/time-choice.ts';
import { notice } from '../layout/components.ts';
import { choice, formIdInput } from '../layout/form.ts';
import type { Page } from '../serving/page-request.ts';
import { rulesOf, type Guest } from './guest.ts';
import { offeredOn } from './offered-times.ts';
import { findOwnHold } from './own-hold.ts';
import { dayForm, timesPart } from './times-part.ts';
import { SELF_SERVICE_WORDS } from './words.ts';

/** The page for choosing service, professional and time. */
export async function choosePage(guest: Guest): Promise<Page> {
  const { query, clinic, read } = guest;
  const services = await read((em) => listServices(em, clinic.id));
  const open = services.filter(({ service }) => isForPatients(service.id, rulesOf(guest)));
  const chosen =
    open.length === 1 ? open[0] : open.find(({ service }) => service.id === query.get('service'));
  return chosen ? timePage(guest, chosen, open.length > 1) : servicePage(guest, open);
}

function servicePage(guest: Guest, open: readonly ServiceWithProfessionals[]): Page {
  const words = SELF_SERVICE_WORDS[guest.language];
  const { title } = words;
  if (open.length === 0) return { title, body: html`<p class="empty">${words.noServices}</p>` };
  const body = html`<h2>${words.service}</h2>
    <ul class="offers">
      ${open.map(
        ({ service }) =>
          html`<li>
            <a class="card" href="${guest.home}?service=${service.id}">
              <strong>${service.name}</strong> <span class="soft">${lengthAndPrice(guest, service)}</span>
              ${service.description !== null && html`<span class="under">${service.description}</span>`}
            </a>
          </li>`,
      )}
    </ul>`;
  return { title, body };
}

/** 30 minutes · €50.00 */
export function lengthAndPrice(
  { language, format }: Guest,
  { durationMinutes, priceEur }: ServiceTypeRow,
): string {
  const length = SELF_SERVICE_WORDS[language].minutes(format.number(durationMinutes));
  return priceEur === null ? length : `${length} · ${format.euros(Number(priceEur))}`;
}

async function timePage(
  guest: Guest,
  { service, eligibleProfessionalIds }: ServiceWithProfessionals,
  isOneOfSeveral: boolean,
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
    title: words.timeTitle,
    body: html`${query.has('taken') && notice('bad', words.taken)} ${await keptTime(guest, service.id)}
      <p class="chosen">
        <span
          ><strong>${service.name}</strong> <span class="soft">${lengthAndPrice(guest, service)}</span></span
        >
        ${isOneOfSeveral && html`<a href="${home}">${words.anotherService}</a>`}
      </p>
      ${dayForm(guest, home, offered, whoAndWhat(guest, professionals, chosen))}
      ${timesPart(guest, offered, {
        method: 'post',
        action: `${home}/hold`,
        fields: html`${formIdInput()} ${hiddenFields(chosen)}`,
        dayLink: (day) => `${home}?${new URLSearchParams({ ...chosen, day }).toString()}`,
      })}`,
  };
}

/** The patient's held time, which is not in the list of free times. */
async function keptTime(guest: Guest, service: string): Promise<Html | null> {
  const { language, format, home, query } = guest;
  const hold = await findOwnHold(guest);
  if (hold?.serviceTypeId !== service) return null;
  const words = SELF_SERVICE_WORDS[language];
  const professional = query.get('professional') ?? '';
  const details = new URLSearchParams({ service, professional, time: timeValue(hold) });
  return notice(
    'good',
    html`<strong>${format.dayTitle(hold.startsAt)}, ${format.time(hold.startsAt)}</strong><br />
      ${words.keptUntil(format.time(hold.expiresAt))}
      <a href="${home}/details?${details.toString()}">${words.goOn}</a>`,
  );
}

/** What the patient chose; `professional` is empty when anyone will do. */
interface Chosen {
  service: string;
  professional: string;
}

function whoAndWhat({ language }: Guest, professionals: readonly ProfessionalRow[], chosen: Chosen): Html {
  const words = SELF_SERVICE_WORDS[language];
  const [only, ...others] = professionals;
  if (only && others.length === 0) return hiddenFields(chosen);
  return html`<input type="hidden" name="service" value="${chosen.service}" /> ${choice({
      name: 'professional',
      label: words.professional,
      value: chosen.professional,
      options: [
        { value: '', label: words.anyone },
        ...professionals.map((one) => ({ value: one.id, label: nameOf(one) })),
      ],
    })}`;
}

function hiddenFields({ service, professional }: Chosen): Html {
  return html`<input type="hidden" name="service" value="${service}" />
    <input type="hidden" name="professional" value="${professional}" />`;
}
