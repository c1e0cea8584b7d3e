import { z } from 'zod';
import type { WebhookUrlVerdict } from '../../../adapters/webhooks/webhook-url.ts';
import type { UpdateEndpoint } from '../../../commands/webhooks/save-endpoint.ts';
import type { WebhookEndpointRow } from '../../../db/entities/webhook-endpoint.entity.ts';
import { longest } from '../../../domain/text/bounded-text.schema.ts';
import { subscriptionPattern } from '../../../domain/named-enums.schema.ts';
import { endpointRules } from '../../../domain/webhooks/endpoint-rules.schema.ts';
import type { Html } from '../../../pages/html.ts';
import { inputsOf } from '../../edits/edit-parts.ts';
import type { FormFields, NameOf } from '../../edits/form-fields.ts';
import type { Edit } from '../../edits/save-edit.ts';
import { optional, sentOfSeveral, severalTicked, showSeveral } from '../../filled-in.schema.ts';
import { field } from '../../layout/form.ts';
import type { View } from '../../layout/view.ts';
import { eventChoice, withoutRepeats } from './event-choice.ts';
import { patternWords } from './endpoint-state.ts';
import { URL_WORDS } from './url-words.ts';
import { ENDPOINT_WORDS } from './words.ts';

/** The address that validates a URL while it is typed. */
export const URL_CHECK = '/integrations/endpoints/check';

type Columns = Required<UpdateEndpoint['fields']>;

/** The fields of an endpoint, except those for integrations. */
export type ShownOfEndpoint = {
  [Name in Exclude<keyof Columns, 'ignoreActors'>]: Exclude<Columns[Name], undefined>;
};

export const ENDPOINT_FORM: FormFields<WebhookEndpointRow, ShownOfEndpoint> = {
  // Checked when it is saved.
  url: { read: z.string(), show: ({ url }) => url ?? '' },
  events: {
    read: severalTicked.pipe(z.array(subscriptionPattern).min(1)).transform(withoutRepeats),
    show: ({ events }) => showSeveral(events),
    sent: sentOfSeveral('events'),
  },
  description: { read: optional(endpointRules.description), show: ({ description }) => description ?? '' },
};

/** Problems of the submission. */
export interface EndpointMistakes {
  verdict?: WebhookUrlVerdict | undefined;
  /** The portal link's key lacks scopes for some events. */
  isBeyond?: boolean;
  /** Another endpoint has the same URL and events. */
  isTwin?: boolean;
  /** It has no URL to change. */
  isPull?: boolean;
}

export function endpointInputs(
  view: View,
  edit: Edit<ShownOfEndpoint>,
  { verdict, isBeyond = false, isTwin = false, isPull = false }: EndpointMistakes,
): Html[] {
  const { language } = view;
  const words = ENDPOINT_WORDS[language];
  const { hint, fine, refused } = URL_WORDS[language];
  const said = (events: string) =>
    events
      .split('\n')
      .map((pattern) => patternWords(pattern, language))
      .join(', ');
  const of = inputsOf(view, edit, words.form, { events: said });
  const badUrl = verdict && !verdict.ok ? refused[verdict.reason] : undefined;
  const urlProblem = isTwin ? words.twin : badUrl;
  const eventsProblem = isBeyond ? words.eventsBeyond : of('events').error;
  const inputs: Record<NameOf<ShownOfEndpoint>, Html> = {
    url: field({
      ...of('url'),
      type: 'url',
      hint: verdict?.ok ? fine : hint,
      error: urlProblem ?? of('url').error,
      isRequired: true,
      checkedBy: URL_CHECK,
    }),
    events: eventChoice(view, edit.values.events.split('\n'), eventsProblem),
    description: field({ ...of('description'), maxLength: longest(endpointRules.description) }),
  };
  const { url, ...others } = inputs;
  return isPull ? Object.values(others) : [url, ...Object.values(others)];
}
