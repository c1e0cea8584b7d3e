import { longest } from '../../domain/text/bounded-text.schema.ts';
import { apiKeyRules } from '../../domain/clinic/api-key-rules.schema.ts';
import { PRESETS } from '../../domain/clinic/api-scopes.ts';
import { html, type Html } from '../../pages/html.ts';
import { choice, field, form } from '../layout/form.ts';
import type { View } from '../layout/view.ts';
import type { Page } from '../serving/page-request.ts';
import { KEY_WORDS } from './words.ts';

/** @param given earlier input to be corrected */
export function newKeyPage(view: View, given: URLSearchParams, wrong?: ReadonlySet<string>): Page {
  const words = KEY_WORDS[view.language];
  const { lifetimes } = words;
  const fields = html`${field({
      name: 'name',
      label: words.name,
      value: given.get('name') ?? '',
      hint: words.nameHint,
      error: wrong?.has('name') ? words.nameWrong : undefined,
      isRequired: true,
      maxLength: longest(apiKeyRules.name),
    })}
    <fieldset>
      <legend>${words.may}</legend>
      ${presetChoices(view, given.get('preset') ?? 'pms')}
    </fieldset>
    ${choice({
      name: 'days',
      label: words.lasts,
      value: given.get('days') ?? '',
      options: [
        { value: '', label: lifetimes.never },
        { value: '90', label: lifetimes.quarter },
        { value: '365', label: lifetimes.year },
      ],
    })}
    <p class="actions"><button>${words.create}</button></p>`;
  return {
    title: words.newKey,
    body: form(view, { action: '/integrations/keys/new' }, fields),
    ...(wrong && { status: 422 }),
  };
}

function presetChoices({ language }: View, chosen: string): Html[] {
  const { presets } = KEY_WORDS[language];
  return PRESETS.map(
    (preset) =>
      html`<label class="choice">
        <input type="radio" name="preset" value="${preset}" ${preset === chosen && html`checked`} />
        <span><strong>${presets[preset].title}.</strong> ${presets[preset].text}</span>
      </label>`,
  );
}
