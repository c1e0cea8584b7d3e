import { randomBytes } from 'node:crypto';
import { eventDefinition } from '../../domain/webhooks/events/webhook-events.schema.ts';
import { deliveryHeaders } from '../../domain/webhooks/webhook-headers.ts';

/** A delivery as it reaches a receiver that holds `secret`, and what the receiver must make of it. */
export interface SignedDeliveryCase {
  name: string;
  /** By lower-case name. */
  headers: Record<string, string>;
  body: string;
  secret: string;
  isAccepted: boolean;
}

const newest = aSecret();
const previous = aSecret();
const stranger = aSecret();
const body = JSON.stringify(eventDefinition('appointment.created').example);

/** Signed by our own code, then spoilt in the ways that a receiver must notice. */
export function signedDeliveries(now: Date): SignedDeliveryCase[] {
  const at = (seconds: number) => new Date(now.getTime() + seconds * 1000);
  const good = headersOf([newest], now);
  const rotating = headersOf([newest, previous], now);
  const movedHere = withTime(headersOf([newest], at(-3600)), now);
  const accepted = (name: string, headers: Record<string, string>, secret = newest) =>
    ({ name, headers, secret, body, isAccepted: true }) as const;
  const refused = (name: string, headers: Record<string, string>, secret = newest, sent = body) =>
    ({ name, headers, secret, body: sent, isAccepted: false }) as const;
  return [
    accepted('a good one', good),
    accepted('one signed nearly five minutes ago', headersOf([newest], at(-240))),
    accepted('one signed with both secrets, for who has the new one', rotating),
    accepted('one signed with both secrets, for who has the old one', rotating, previous),
    refused('one signed with both secrets, for who has neither', rotating, stranger),
    refused('a tampered body', good, newest, body.replace('Ana', 'Eva')),
    refused('a body with a space more', good, newest, `${body} `),
    refused('a body parsed and written again', good, newest, JSON.stringify(JSON.parse(body), null, 1)),
    refused('an old signature', headersOf([newest], at(-330))),
    refused('an old signature under a new time', movedHere),
    refused('a signature from the future', headersOf([newest], at(330))),
    refused('the wrong secret', good, stranger),
    refused('a missing signature', without(good)),
    refused('an empty signature', withSignature(good, '', '')),
    refused('nonsense in place of a signature', withSignature(good, 'nonsense', 'nonsense')),
    refused('a signature cut short', withSignature(good, cut(good['x-service-signature']), 'v1,AAAA')),
    ...['zz', '00', '=zz'].map((junk) =>
      refused(`a signature with “${junk}” behind it`, withSignature(good, ...behind(good, junk))),
    ),
    refused('another scheme’s tag', withTag(good, 'v0')),
  ];
}

function aSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

function headersOf(secrets: readonly string[], signedAt: Date): Record<string, string> {
  const { id: eventId, type: eventType } = eventDefinition('appointment.created').example;
  const deliveryId = '0195571c-5a60-7a3e-9f00-2f5d1c9b7a60';
  const headers = deliveryHeaders({ secrets, signedAt, body, eventId, eventType, deliveryId, attempt: 1 });
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function withTime(headers: Record<string, string>, time: Date): Record<string, string> {
  const t = String(Math.floor(time.getTime() / 1000));
  const signature = headers['x-service-signature']?.replace(/t=\d+/, `t=${t}`) ?? '';
  return { ...headers, 'x-service-signature': signature, 'webhook-timestamp': t };
}

function withSignature(headers: Record<string, string>, own: string, standard: string) {
  return { ...headers, 'x-service-signature': own, 'webhook-signature': standard };
}

function withTag(headers: Record<string, string>, tag: string): Record<string, string> {
  const replaced = (name: string) => headers[name]?.replace(/v1(?=[=,])/, tag) ?? '';
  return withSignature(headers, replaced('x-service-signature'), replaced('webhook-signature'));
}

function without({
  'x-service-signature': _own,
  'webhook-signature': _standard,
  ...rest
}: Record<string, string>) {
  return rest;
}

function behind(headers: Record<string, string>, junk: string): [own: string, standard: string] {
  return [`${headers['x-service-signature']}${junk}`, `${headers['webhook-signature']}${junk}`];
}

function cut(signature = ''): string {
  return signature.slice(0, -2);
}
