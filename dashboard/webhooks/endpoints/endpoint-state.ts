import { hash } from 'node:crypto';
import type { WebhookEndpointRow } from '../../../db/entities/webhooks/webhook-endpoint.entity.ts';
import { isRefusing, type EndpointAnswers } from '../../../domain/webhooks/endpoint-answers.ts';
import type { QueueLag } from '../../../db/webhooks/queue/unread-queues.ts';
import {
  pauseEnd,
  receivesEvents,
  shownStatus,
  type EndpointStatus,
  type ShownStatus,
} from '../../../domain/webhooks/endpoint-status.ts';
import type { AnyEventType } from '../../../domain/webhooks/event-types.ts';
import { html, type Html } from '../../../pages/html.ts';
import { badge, type Tone } from '../../layout/components.ts';
import { upTo, type View } from '../../layout/view.ts';
import { EVENT_WORDS } from '../event-words.ts';
import { failureOf } from '../failure-words.ts';
import { ENDPOINT_WORDS } from './words.ts';

/** The state shown: `refusing` is an active endpoint that accepts nothing. */
export type Standing = ShownStatus | 'refusing';
/** The responses of the last day; undefined when nothing was sent. */
type Answers = EndpointAnswers | undefined;

const TONES: Record<Standing, Tone> = {
  active: 'good',
  refusing: 'bad',
  failing: 'bad',
  paused: 'waiting',
  deactivated: 'bad',
  disabled: 'idle',
};

interface StateOfEndpoint {
  status: EndpointStatus;
  pausedUntil: Date | null;
}

export function standingOf(
  endpoint: StateOfEndpoint,
  answers: Answers,
  { now }: Pick<View, 'now'>,
): Standing {
  const status = shownStatus(endpoint, now);
  return status === 'active' && answers && isRefusing(answers) ? 'refusing' : status;
}

export function endpointBadge(endpoint: StateOfEndpoint, answers: Answers, view: View): Html {
  const standing = standingOf(endpoint, answers, view);
  return badge(TONES[standing], ENDPOINT_WORDS[view.language].states[standing]);
}

export function endpointTone(endpoint: StateOfEndpoint, answers: Answers, view: View): Tone {
  return TONES[standingOf(endpoint, answers, view)];
}

/** Whether events arrive, how many were accepted lately, and who must act. */
export function aboutEndpoint(endpoint: WebhookEndpointRow, answers: Answers, view: View): string {
  const { lastAnswer: last, about } = ENDPOINT_WORDS[view.language];
  const standing = standingOf(endpoint, answers, view);
  const said = sentence(endpoint, standing, view);
  if (!answers || !receivesEvents(endpoint.status)) return said;
  if (standing !== 'refusing') return `${said} ${acceptedOf(answers, view)}`;
  const answered = last(lastAnswer(answers, view) ?? '', view.format.moment(answers.lastStartedAt, view.now));
  return `${acceptedOf(answers, view)} ${answered} ${about.refusing}`;
}

function sentence(endpoint: WebhookEndpointRow, standing: Standing, { language, format, now }: View): string {
  const { about } = ENDPOINT_WORDS[language];
  const { failingSince, deactivateAt } = endpoint;
  const pausedUntil = pauseEnd(endpoint, now);
  if (pausedUntil) return about.paused(format.moment(pausedUntil, now));
  if (standing !== 'failing' && standing !== 'paused') return about[standing];
  if (!failingSince) throw new Error('a failing endpoint has no failingSince');
  if (!deactivateAt) return about.unread(format.moment(failingSince, now));
  return about.failing(format.moment(failingSince, now), format.moment(deactivateAt, now));
}

/** A sentence such as “Accepted 3 of 80 attempts in the last 24 hours.” */
export function acceptedOf({ attempts, failures }: EndpointAnswers, { language, format }: View): string {
  return ENDPOINT_WORDS[language].accepted(format.number(attempts - failures), format.number(attempts));
}

/** The latest failure, such as “401 · The endpoint rejected the event”; null when the latest attempt succeeded. */
export function lastAnswer(
  { lastErrorClass, lastTlsFault, lastResponseStatus }: EndpointAnswers,
  { language }: View,
): string | null {
  if (lastErrorClass === null) return null;
  const { title } = failureOf(language, lastErrorClass, lastTlsFault);
  return lastResponseStatus === null ? title : `${lastResponseStatus} · ${title}`;
}

/** How far behind the reader of a pull endpoint is, in words. */
export function aboutQueue(
  { readAt }: Pick<WebhookEndpointRow, 'readAt'>,
  { waiting, oldestAt }: Pick<QueueLag, 'waiting' | 'oldestAt'>,
  view: View,
): string {
  const { language, format, now } = view;
  const { queue } = ENDPOINT_WORDS[language];
  const read = readAt ? queue.read(format.relative(readAt, now)) : queue.neverRead;
  if (!oldestAt) return `${queue.empty} ${read}`;
  const count = upTo(view, waiting, MAX_QUEUED);
  return `${queue.waiting(count, format.relative(oldestAt, now))} ${read}`;
}

/** Deliveries in a queue are counted up to this number. */
export const MAX_QUEUED = 1000;

/** The endpoint's name for people: its description, or its URL without the query. */
export function endpointName({ description, url }: Pick<WebhookEndpointRow, 'description' | 'url'>): string {
  return description?.trim() || shortUrl(url);
}

/** In place of a URL, which a pull endpoint does not have. */
const PULL = 'Pull';

/** The host of a URL; the rest may contain a password. */
export function hostOf(url: string | null): string {
  return url === null ? PULL : new URL(url).host;
}

/** Without the part that may contain a password. */
export function shortUrl(url: string | null): string {
  if (url === null) return PULL;
  return url.split('?')[0]?.replace('https://', '') ?? url;
}

/** The endpoint's subscription in words. */
export function subscribedEvents({ events }: WebhookEndpointRow, { language }: View): Html[] {
  return events.map((pattern) => html`<span class="word">${patternWords(pattern, language)}</span> `);
}

export function patternWords(pattern: string, language: View['language']): string {
  const { all, types } = EVENT_WORDS[language];
  const groups: Partial<Record<string, string>> = EVENT_WORDS[language].groups;
  if (pattern === '*') return all;
  const group = pattern.endsWith('.*') ? groups[pattern.slice(0, -2)] : undefined;
  return group ?? types[pattern as AnyEventType] ?? pattern;
}

/** The state on which the buttons of the endpoint's page depend: URL, events, own headers and status. */
export function endpointVersion(endpoint: WebhookEndpointRow): string {
  const { url, events, description, headersCiphertext, status } = endpoint;
  const isOn = receivesEvents(status);
  const state = [url, events, description, headersCiphertext, isOn || status];
  return hash('sha256', JSON.stringify(state)).slice(0, 16);
}
