import type { FirstSteps } from '../../db/clinic/first-steps.ts';
import { mayUse } from '../../domain/people/roles.ts';
import { html, type Html } from '../../pages/html.ts';
import type { View } from '../layout/view.ts';
import { NEW_ENDPOINT } from '../webhooks/endpoints/new-endpoint-page.ts';
import { OVERVIEW_WORDS } from './words.ts';

/** In the order in which a clinic begins; where each is done. */
const STEPS = [
  ['hours', '/settings'],
  ['professionals', '/settings/professionals'],
  ['services', '/settings/services'],
  ['key', '/integrations/keys/new'],
  ['endpoint', NEW_ENDPOINT],
  ['arrived', '/integrations/endpoints'],
] as const;

/**
 * What is still to be set up, for those who do it, ticked off as it is done; nothing once all is. Folded where the clinic
 * works already.
 */
export function firstSteps(view: View, steps: FirstSteps): Html | null {
  const open = STEPS.filter(([name]) => !steps[name]);
  if (open.length === 0 || !mayUse(view.session, 'settings')) return null;
  const number = (value: number) => view.format.number(value);
  const words = OVERVIEW_WORDS[view.language].steps;
  const done = words.done(number(STEPS.length - open.length), number(STEPS.length));
  return html`<details class="card steps" ${!steps.appointments && html`open`}>
    <summary><strong>${words.title}</strong>: ${done}</summary>
    <ol>
      ${STEPS.map(([name, address]) => html`<li>${step(view, { name, address, isDone: steps[name] })}</li>`)}
    </ol>
  </details>`;
}

interface Step {
  name: (typeof STEPS)[number][0];
  address: string;
  isDone: boolean;
}

function step({ language }: View, { name, address, isDone }: Step): Html {
  const { steps, step: words } = OVERVIEW_WORDS[language];
  if (!isDone) return html`<a href="${address}">${words[name]}</a>`;
  return html`<span class="soft">${words[name]} ✓<span class="unseen"> ${steps.isDone}</span></span>`;
}
