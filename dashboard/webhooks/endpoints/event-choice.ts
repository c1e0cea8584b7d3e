import { EVENT_TYPES, type EventType } from '../../../domain/webhooks/event-types.ts';
import { patternsMatching } from '../../../domain/webhooks/subscription.ts';
import { eventDefinition } from '../../../domain/webhooks/events/webhook-events.schema.ts';
import { html, type Html } from '../../../pages/html.ts';
import type { View } from '../../layout/view.ts';
import { EVENT_WORDS, type EventGroup } from '../event-words.ts';
import { ENDPOINT_WORDS } from './words.ts';

/** All events, groups and single types, each with an example body. */
export function eventChoice({ language }: View, chosen: readonly string[], wrong: string | undefined): Html {
  const words = ENDPOINT_WORDS[language];
  const groups = Map.groupBy(EVENT_TYPES, (type) => type.split('.')[0] as EventGroup);
  return html`<fieldset class="events">
    <legend>${words.form.fields.events}</legend>
    <input type="hidden" name="events" value="" />
    ${wrong !== undefined && html`<strong class="error">${wrong}</strong>`}
    <p class="more">${words.form.hints.events}</p>
    ${tick('*', html`<strong>${EVENT_WORDS[language].all}</strong>`, chosen)}
    ${[...groups].map(([group, types]) => groupChoice(group, types, { language, chosen }))}
  </fieldset>`;
}

interface Chosen {
  language: View['language'];
  chosen: readonly string[];
}

function groupChoice(group: EventGroup, types: readonly EventType[], { language, chosen }: Chosen): Html {
  const { single } = ENDPOINT_WORDS[language];
  const isOpen = types.some((type) => chosen.includes(type));
  return html`${tick(`${group}.*`, EVENT_WORDS[language].groups[group], chosen)}
    <details ${isOpen && html`open`}>
      <summary>${single}<span class="unseen">: ${EVENT_WORDS[language].groups[group]}</span></summary>
      ${types.map((type) => typeChoice(type, { language, chosen }))}
    </details>`;
}

function typeChoice(type: EventType, { language, chosen }: Chosen): Html {
  const { sample } = ENDPOINT_WORDS[language];
  const label = html`${EVENT_WORDS[language].types[type]} <code>${type}</code>`;
  return html`${tick(type, label, chosen)}
    <details>
      <summary>${sample}<span class="unseen">: ${type}</span></summary>
      <pre tabindex="0"><code>${JSON.stringify(eventDefinition(type).example, null, 2)}</code></pre>
    </details>`;
}

function tick(pattern: string, label: Html | string, chosen: readonly string[]): Html {
  return html`<label class="choice">
    <input type="checkbox" name="events" value="${pattern}" ${chosen.includes(pattern) && html`checked`} />
    <span>${label}</span>
  </label>`;
}

/** The patterns without those that another one includes. */
export function withoutRepeats(patterns: readonly string[]): string[] {
  const isCovered = (type: EventType) =>
    patternsMatching(type).some((pattern) => pattern !== type && patterns.includes(pattern));
  const repeated: readonly string[] = EVENT_TYPES.filter(isCovered);
  const isRepeated = (pattern: string) =>
    repeated.includes(pattern) || (pattern.endsWith('.*') && patterns.includes('*'));
  return [...new Set(patterns)].filter((pattern) => !isRepeated(pattern));
}
