import { z } from 'zod';
import type { ServiceFields } from '../../commands/clinic/services/save-service.ts';
import type { ServiceWithProfessionals } from '../../db/clinic/services.ts';
import type { ProfessionalRow } from '../../db/entities/professional.entity.ts';
import { serviceRules } from '../../domain/clinic/service-rules.schema.ts';
import { longest } from '../../domain/text/bounded-text.schema.ts';
import { html, type Html } from '../../pages/html.ts';
import { contestedNotice, inputsOf, sayTicked, statusOf } from '../edits/edit-parts.ts';
import type { FormFields, NameOf } from '../edits/form-fields.ts';
import { shownInput, type Edit } from '../edits/save-edit.ts';
import {
  optional,
  required,
  sentOfSeveral,
  severalTicked,
  showSeveral,
  showTicked,
  ticked,
} from '../filled-in.schema.ts';
import { field, form, longField, tickBox, tickBoxes } from '../layout/form.ts';
import type { View } from '../layout/view.ts';
import type { Page } from '../serving/page-request.ts';
import { SERVICE_WORDS } from './words.ts';

export const SERVICES = '/settings/services';

const wholeNumber = z
  .string()
  .regex(/^\d{1,4}$/)
  .transform(Number);
const price = z
  .string()
  .transform((amount) => amount.replace(',', '.'))
  .pipe(serviceRules.priceEur);

/** The fields of a service, except those for integrations, with the professionals who offer it. */
export type ShownOfService = Omit<ServiceFields, 'externalId'> & { professional: string[] };

export const SERVICE_FORM: FormFields<ServiceWithProfessionals, ShownOfService> = {
  name: { read: required(serviceRules.name), show: ({ service }) => service.name },
  description: {
    read: optional(serviceRules.description),
    show: ({ service }) => service.description ?? '',
  },
  durationMinutes: {
    read: wholeNumber.pipe(serviceRules.durationMinutes),
    show: ({ service }) => String(service.durationMinutes),
  },
  bufferMinutes: {
    read: wholeNumber.pipe(serviceRules.bufferMinutes),
    show: ({ service }) => String(service.bufferMinutes),
  },
  priceEur: { read: optional(price), show: ({ service }) => service.priceEur ?? '' },
  professional: {
    read: severalTicked.pipe(z.array(z.guid())),
    show: ({ eligibleProfessionalIds }) => showSeveral(eligibleProfessionalIds),
    sent: sentOfSeveral('professional'),
  },
  active: { read: ticked, show: ({ service }) => showTicked(service.active) },
};

export interface ServiceForm {
  /** The id of the service; null for a new one. */
  id: string | null;
  professionals: readonly ProfessionalRow[];
  edit: Edit<ShownOfService>;
}

export function serviceForm(view: View, { id, professionals, edit }: ServiceForm): Page {
  const words = SERVICE_WORDS[view.language];
  const names = new Map(professionals.map((each) => [each.id, each.name]));
  const of = inputsOf(view, edit, words, {
    active: sayTicked(view),
    professional: (ids) =>
      ids.replaceAll(/[^\n]+/g, (each) => names.get(each) ?? each).replaceAll('\n', ', '),
  });
  const inputs: Record<NameOf<ShownOfService>, Html | null> = {
    name: field({ ...of('name'), isRequired: true, maxLength: longest(serviceRules.name) }),
    description: longField({ ...of('description'), maxLength: longest(serviceRules.description) }),
    durationMinutes: field({ ...of('durationMinutes'), type: 'number', isRequired: true }),
    bufferMinutes: field({ ...of('bufferMinutes'), type: 'number', isRequired: true }),
    priceEur: field(of('priceEur')),
    professional: tickBoxes({
      ...of('professional'),
      options: professionals.map((each) => ({ value: each.id, label: each.name })),
    }),
    // A new service is active.
    active: id === null ? null : tickBox(of('active')),
  };
  const fields = html`${id !== null && shownInput(edit)} ${Object.values(inputs)}
    <p class="actions"><button>${id === null ? words.create : words.save}</button></p>`;
  return {
    title: id === null ? words.add : edit.stored.name,
    body: html`${contestedNotice(view, edit)} ${form(view, { action: `${SERVICES}/${id ?? 'new'}` }, fields)}`,
    status: statusOf(edit),
  };
}
