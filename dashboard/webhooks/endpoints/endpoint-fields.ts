import { z } from 'zod';
import type { WebhookUrlVerdict } from '../../../adapters/webhooks/webhook-url.ts';
import { subscriptionPattern } from '../../../domain/named-enums.schema.ts';
import { html, type Html } from '../../../pages/html.ts';
import { field } from '../../layout/form.ts';
import type { View } from '../../layout/view.ts';
import { eventChoice, withoutRepeats } from './event-choice.ts';
import { URL_WORDS } from './url-words.ts';
import { ENDPOINT_WORDS } from './words.ts';

/** Says how a URL is that stands in a form. */
export const URL_CHECK = '/integrations/endpoints/check';

export const endpointFields = z.object({
  url: z.string().trim(),
  events: z
    .union([subscriptionPattern, z.array(subscriptionPattern)])
    .transform((given) => withoutRepeats([given].flat())),
  description: z
    .string()
    .trim()
    .max(500)
    .transform((text) => text || null),
});

/** What stands in the form. */
export interface GivenEndpoint {
  url: string;
  events: readonly string[];
  description: string;
}

/** What is known of it. */
export interface EndpointMistakes {
  verdict?: WebhookUrlVerdict;
  wrong?: ReadonlySet<string>;
  /** The key that made the portal link may not read all that is asked for. */
  isBeyond?: boolean;
}

export function givenIn(form: URLSearchParams): GivenEndpoint {
  return {
    url: form.get('url') ?? '',
    events: form.getAll('events'),
    description: form.get('description') ?? '',
  };
}

export function endpointInputs(
  view: View,
  given: GivenEndpoint,
  { verdict, wrong, isBeyond }: EndpointMistakes = {},
): Html {
  const words = ENDPOINT_WORDS[view.language];
  const { label, hint, fine, refused } = URL_WORDS[view.language];
  return html`${field({
    name: 'url',
    label,
    type: 'url',
    value: given.url,
    hint: verdict?.ok ? fine : hint,
    error: verdict && !verdict.ok ? refused[verdict.reason] : undefined,
    isRequired: true,
    checkedBy: URL_CHECK,
  })}
  ${eventChoice(view, given.events, isBeyond ? words.eventsBeyond : wrong?.has('events') ? words.eventsWrong : null)}
  ${field({
    name: 'description',
    label: words.description,
    value: given.description,
    hint: words.descriptionHint,
    error: wrong?.has('description') ? words.descriptionWrong : undefined,
    maxLength: 500,
  })}`;
}
