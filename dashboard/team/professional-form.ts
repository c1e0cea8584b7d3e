import { z } from 'zod';
import { professionalRules } from '../../domain/clinic/professional-rules.schema.ts';
import { html } from '../../pages/html.ts';
import { optional, required } from '../filled-in.schema.ts';
import { field, form, longField, tickBox } from '../layout/form.ts';
import type { View } from '../layout/view.ts';
import { idField } from '../made-once/make-once.ts';
import type { Page } from '../page-request.ts';
import { TEAM_WORDS } from './words.ts';

export const professionalFields = z.object({
  name: required(professionalRules.name),
  title: optional(professionalRules.title),
  specialty: required(professionalRules.specialty),
  email: optional(professionalRules.email),
  bio: optional(professionalRules.bio),
  photoUrl: optional(professionalRules.photoUrl),
});

export interface ProfessionalForm {
  title: string;
  /** Where it is sent. */
  action: string;
  /** Whether it is there already, and may take no more bookings. */
  isThere: boolean;
  given: URLSearchParams;
  wrong?: ReadonlySet<string> | undefined;
}

export function professionalForm(
  view: View,
  { title, action, isThere, given, wrong }: ProfessionalForm,
): Page {
  const words = TEAM_WORDS[view.language];
  const of = (name: keyof typeof professionalFields.shape) => ({
    name,
    label: words.fields[name] ?? name,
    value: given.get(name) ?? '',
    hint: words.hints[name],
    error: wrong?.has(name) ? words.wrong[name] : undefined,
  });
  const fields = html`${!isThere && idField(given)}
    ${field({ ...of('name'), isRequired: true, maxLength: 200 })} ${field({ ...of('title'), maxLength: 50 })}
    ${field({ ...of('specialty'), isRequired: true, maxLength: 200 })}
    ${field({ ...of('email'), type: 'email' })} ${longField({ ...of('bio'), maxLength: 5000 })}
    ${field({ ...of('photoUrl'), type: 'url' })}
    ${
      isThere &&
      html`${tickBox('active', words.takesBookings, given.get('active') === 'yes')}
        <p class="more">${words.takesBookingsHint}</p>`
    }
    <p class="actions"><button>${isThere ? words.save : words.create}</button></p>`;
  return { title, body: form(view, { action }, fields), ...(wrong && { status: 422 }) };
}
