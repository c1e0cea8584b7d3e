import { z } from 'zod';
import type { WebhookUrlVerdict } from '../../../adapters/webhooks/webhook-url.ts';
import type { UpdateEndpoint } from '../../../commands/webhooks/save-endpoint.ts';
import type { WebhookEndpointRow } from '../../../db/entities/webhooks/webhook-endpoint.entity.ts';
import { longest } from '../../../domain/text/bounded-text.schema.ts';
import { subscriptionPattern } from '../../../domain/named-enums.schema.ts';
import { endpointRules } from '../../../domain/webhooks/endpoint-rules.schema.ts';
import type { Html } from '../../../pages/html.ts';
import { inputsOf } from '../../edits/edit-parts.ts';
import type { FormFields, NameOf } from '../../edits/form-fields.ts';
import type { Edit } from '../../edits/save-edit.ts';
import { optional, sentOfSeveral, severalTicked, showSeveral } from '../../filled-in.schema.ts';
import { field, tickBox } from '../../layout/form.ts';
import type { View } from '../../layout/view.ts';
import { eventChoice, withoutRepeats } from './event-choice.ts';
import { patternWords } from './endpoint-state.ts';
import { URL_WORDS } from './url-words.ts';
import { ENDPOINT_WORDS } from './words.ts';

/** The address that validates a URL while it is typed. */
export const URL_CHECK = '/integrations/endpoints/check';

/** The tick box of a new endpoint that has a queue instead of a URL. */
const QUEUE_FIELD = 'queue';

export function wantsQueueIn(form: URLSearchParams): boolean {
  return form.getAll(QUEUE_FIELD).includes('yes');
}

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
  /** Whether a new one is to have a queue instead of a URL; only a new one has this choice. */
  wantsQueue?: boolean;
  /** Both a URL and a queue were chosen. */
  hasBoth?: boolean;
}

export function endpointInputs(view: View, edit: Edit<ShownOfEndpoint>, mistakes: EndpointMistakes): Html[] {
  const { isBeyond = false, isPull = false, wantsQueue } = mistakes;
  const { language } = view;
  const words = ENDPOINT_WORDS[language];
  const said = (events: string) =>
    events
      .split('\n')
      .map((pattern) => patternWords(pattern, language))
      .join(', ');
  const of = inputsOf(view, edit, words.form, { events: said });
  const eventsProblem = isBeyond ? words.eventsBeyond : of('events').error;
  const isNew = wantsQueue !== undefined;
  const inputs: Record<NameOf<ShownOfEndpoint>, Html> = {
    url: field({ ...of('url'), ...urlOptions(view, mistakes, of('url').error), isRequired: !isNew }),
    events: eventChoice(view, edit.values.events.split('\n'), eventsProblem),
    description: field({ ...of('description'), maxLength: longest(endpointRules.description) }),
  };
  const { url, ...others } = inputs;
  if (isPull) return Object.values(others);
  return [url, ...(isNew ? [queueInput(view, wantsQueue)] : []), ...Object.values(others)];
}

/** What is wrong with the URL, or that it can be used. @param contested someone else's change of it */
function urlOptions({ language }: View, mistakes: EndpointMistakes, contested: string | undefined) {
  const { verdict, isTwin, hasBoth } = mistakes;
  const { twin, queue } = ENDPOINT_WORDS[language];
  const { hint, fine, refused } = URL_WORDS[language];
  const bad = verdict && !verdict.ok ? refused[verdict.reason] : undefined;
  const problem = isTwin ? twin : hasBoth ? queue.both : bad;
  return {
    type: 'url' as const,
    hint: verdict?.ok ? fine : hint,
    error: problem ?? contested,
    checkedBy: URL_CHECK,
  };
}

function queueInput({ language }: View, isTicked: boolean): Html {
  const { choose, hint } = ENDPOINT_WORDS[language].queue;
  return tickBox({ name: QUEUE_FIELD, label: choose, hint, value: isTicked ? 'yes' : '' });
}
