import type { ProfessionalFields } from '../../commands/clinic/professionals/save-professional.ts';
import type { ProfessionalRow } from '../../db/entities/professional.entity.ts';
import { professionalRules } from '../../domain/clinic/professional-rules.schema.ts';
import { longest } from '../../domain/text/bounded-text.schema.ts';
import { html, type Html } from '../../pages/html.ts';
import { BLOCKS } from '../blocks/block-form.ts';
import { BLOCK_WORDS } from '../blocks/words.ts';
import { contestedNotice, inputsOf, sayTicked, statusOf } from '../edits/edit-parts.ts';
import type { FormFields, NameOf } from '../edits/form-fields.ts';
import { shownInput, type Edit } from '../edits/save-edit.ts';
import { optional, required, showTicked, ticked } from '../filled-in.schema.ts';
import { field, form, longField, tickBox } from '../layout/form.ts';
import type { View } from '../layout/view.ts';
import { FRAME_WORDS } from '../layout/words.ts';
import type { Page } from '../serving/page-request.ts';
import { TEAM_WORDS } from './words.ts';

export const PROFESSIONALS = '/settings/professionals';

/** The fields of a professional, except those with their own page or for integrations. */
export type ShownOfProfessional = Omit<
  ProfessionalFields,
  'metadata' | 'externalId' | 'workingHours' | 'specialHours'
>;

export const PROFESSIONAL_FORM: FormFields<ProfessionalRow, ShownOfProfessional> = {
  name: { read: required(professionalRules.name), show: ({ name }) => name },
  title: { read: optional(professionalRules.title), show: ({ title }) => title ?? '' },
  specialty: { read: required(professionalRules.specialty), show: ({ specialty }) => specialty },
  email: { read: optional(professionalRules.email), show: ({ email }) => email ?? '' },
  bio: { read: optional(professionalRules.bio), show: ({ bio }) => bio ?? '' },
  photoUrl: { read: optional(professionalRules.photoUrl), show: ({ photoUrl }) => photoUrl ?? '' },
  active: { read: ticked, show: ({ active }) => showTicked(active) },
};

export interface ProfessionalForm {
  /** The id of the professional; null for a new one. */
  id: string | null;
  edit: Edit<ShownOfProfessional>;
}

export function professionalForm(view: View, { id, edit }: ProfessionalForm): Page {
  const words = TEAM_WORDS[view.language];
  const of = inputsOf(view, edit, words, { active: sayTicked(view) });
  const inputs: Record<NameOf<ShownOfProfessional>, Html | null> = {
    name: field({ ...of('name'), isRequired: true, maxLength: longest(professionalRules.name) }),
    title: field({ ...of('title'), maxLength: longest(professionalRules.title) }),
    specialty: field({
      ...of('specialty'),
      isRequired: true,
      maxLength: longest(professionalRules.specialty),
    }),
    email: field({ ...of('email'), type: 'email' }),
    bio: longField({ ...of('bio'), maxLength: longest(professionalRules.bio) }),
    photoUrl: field({ ...of('photoUrl'), type: 'url' }),
    // A new professional is active.
    active: id === null ? null : tickBox(of('active')),
  };
  const fields = html`${id !== null && shownInput(edit)} ${Object.values(inputs)}
    <p class="actions"><button>${id === null ? words.create : words.save}</button></p>`;
  const { hours } = words;
  const more =
    id !== null &&
    html`<p class="actions">
      <a class="button second" href="${PROFESSIONALS}/${id}/hours">${hours.link}</a>
      <a class="button second" href="${BLOCKS}/new?professional=${id}">${BLOCK_WORDS[view.language].add}</a>
      <a href="${BLOCKS}?professional=${id}">${FRAME_WORDS[view.language].sections.blocks}</a>
    </p>`;
  return {
    title: id === null ? words.add : edit.stored.name,
    body: html`${more} ${contestedNotice(view, edit)}
    ${form(view, { action: `${PROFESSIONALS}/${id ?? 'new'}` }, fields)}`,
    status: statusOf(edit),
  };
}
