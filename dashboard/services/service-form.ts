import { z } from 'zod';
import type { ProfessionalRow } from '../../db/entities/professional.entity.ts';
import { serviceRules } from '../../domain/clinic/service-rules.schema.ts';
import { html } from '../../pages/html.ts';
import { optional, required } from '../filled-in.schema.ts';
import { field, form, longField, tickBox } from '../layout/form.ts';
import type { View } from '../layout/view.ts';
import { idField } from '../made-once/make-once.ts';
import type { Page } from '../page-request.ts';
import { SERVICE_WORDS } from './words.ts';

const wholeNumber = z
  .string()
  .trim()
  .regex(/^\d{1,4}$/)
  .transform(Number);
const price = z
  .string()
  .transform((amount) => amount.replace(',', '.'))
  .pipe(serviceRules.priceEur);

export const serviceFields = z.object({
  name: required(serviceRules.name),
  description: optional(serviceRules.description),
  durationMinutes: wholeNumber.pipe(serviceRules.durationMinutes),
  bufferMinutes: wholeNumber.pipe(serviceRules.bufferMinutes),
  priceEur: optional(price),
});

export interface ServiceForm {
  title: string;
  /** Where it is sent. */
  action: string;
  /** Whether it is there already, and may be offered no more. */
  isThere: boolean;
  professionals: readonly ProfessionalRow[];
  given: URLSearchParams;
  wrong?: ReadonlySet<string> | undefined;
}

export function serviceForm(view: View, { title, action, given, wrong, ...more }: ServiceForm): Page {
  const words = SERVICE_WORDS[view.language];
  const { isThere, professionals } = more;
  const of = (name: keyof typeof serviceFields.shape) => ({
    name,
    label: words.fields[name] ?? name,
    value: given.get(name) ?? '',
    hint: words.hints[name],
    error: wrong?.has(name) ? words.wrong[name] : undefined,
  });
  const ticked = new Set(given.getAll('professional'));
  const fields = html`${!isThere && idField(given)}
    ${field({ ...of('name'), isRequired: true, maxLength: 200 })}
    ${longField({ ...of('description'), maxLength: 5000 })}
    ${field({ ...of('durationMinutes'), type: 'number', isRequired: true })}
    ${field({ ...of('bufferMinutes'), type: 'number', isRequired: true })} ${field(of('priceEur'))}
    <fieldset>
      <legend>${words.heads.who}</legend>
      <p class="more">${words.whoHint}</p>
      ${professionals.map(
        ({ id, name }) =>
          html`<label class="choice"
            ><input type="checkbox" name="professional" value="${id}" ${ticked.has(id) && html`checked`} />
            ${name}</label
          >`,
      )}
    </fieldset>
    ${
      isThere &&
      html`${tickBox('active', words.canBeBooked, given.get('active') === 'yes')}
        <p class="more">${words.canBeBookedHint}</p>`
    }
    <p class="actions"><button>${isThere ? words.save : words.create}</button></p>`;
  return { title, body: form(view, { action }, fields), ...(wrong && { status: 422 }) };
}
