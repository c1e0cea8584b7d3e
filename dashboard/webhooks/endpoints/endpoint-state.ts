import { hash } from 'node:crypto';
import type { WebhookEndpointRow } from '../../../db/entities/webhook-endpoint.entity.ts';
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
import type { View } from '../../layout/view.ts';
import { EVENT_WORDS } from '../event-words.ts';
import { ENDPOINT_WORDS } from './words.ts';

const TONES: Record<ShownStatus, Tone> = {
  active: 'good',
  failing: 'bad',
  paused: 'waiting',
  deactivated: 'bad',
  disabled: 'idle',
};

interface StateOfEndpoint {
  status: EndpointStatus;
  pausedUntil: Date | null;
}

export function endpointBadge(endpoint: StateOfEndpoint, { language, now }: View): Html {
  const status = shownStatus(endpoint, now);
  return badge(TONES[status], ENDPOINT_WORDS[language].states[status]);
}

export function endpointTone(endpoint: StateOfEndpoint, { now }: View): Tone {
  return TONES[shownStatus(endpoint, now)];
}

/** A sentence: whether events arrive, and who must act. */
export function aboutEndpoint(endpoint: WebhookEndpointRow, { language, format, now }: View): string {
  const { about } = ENDPOINT_WORDS[language];
  const { failingSince, deactivateAt } = endpoint;
  const pausedUntil = pauseEnd(endpoint, now);
  if (pausedUntil) return about.paused(format.moment(pausedUntil, now));
  const status: EndpointStatus = endpoint.status;
  if (status !== 'failing') return about[status];
  if (!failingSince || !deactivateAt)
    throw new Error('a failing endpoint has no failingSince or deactivateAt');
  return about.failing(format.moment(failingSince, now), format.moment(deactivateAt, now));
}

/** The endpoint's name for people: its description, or its URL without the query. */
export function endpointName({ description, url }: Pick<WebhookEndpointRow, 'description' | 'url'>): string {
  return description?.trim() || shortUrl(url);
}

/** Without the part that may contain a password. */
export function shortUrl(url: string): string {
  return url.split('?')[0]?.replace('https://', '') ?? url;
}

/** Its subscription in words. */
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

/** The state that its page's buttons depend on: URL, events and status. */
export function endpointVersion({ url, events, description, status }: WebhookEndpointRow): string {
  const isOn = receivesEvents(status);
  return hash('sha256', JSON.stringify([url, events, description, isOn || status])).slice(0, 16);
}
