import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { Stripe } from 'stripe';
import {
  deliveryHeaders,
  serviceSignature,
  standardWebhooksHeaders,
} from '../../../domain/webhooks/webhook-headers.ts';

const TOLERANCE_SECONDS = 300;

const aSecret = fc.uint8Array({ minLength: 24, maxLength: 64 }).map((bytes) => 'whsec_' + base64(bytes));
const aBody = fc
  .record({ id: fc.string(), data: fc.dictionary(fc.string(), fc.string({ unit: 'grapheme' })) })
  .map((event) => JSON.stringify(event));

describe('X-Service-Signature', () => {
  test('is the known answer of the contract', () => {
    const signedAt = new Date(1_636_936_200_000);
    expect(serviceSignature({ secrets: ['secret'], signedAt, body: 'hello !' })).toBe(
      't=1636936200,v1=1b3d69df55f1e52f05224ba94a5162abeb17ef52cd7f4948c390f810d6a87e98',
    );
  });

  test('is verified by Stripe’s library for any secret and body', () => {
    fc.assert(
      fc.property(aSecret, aBody, (secret, body) => {
        const header = serviceSignature({ secrets: [secret], signedAt: new Date(), body });
        expect(isVerifiedByStripe(body, header, secret)).toBe(true);
      }),
    );
  });

  test('is verified with either secret while a rotation overlaps, newest first', () => {
    const [newest, oldest] = ['whsec_' + base64(randomBytes(24)), 'whsec_' + base64(randomBytes(24))];
    const signedAt = new Date();
    const header = serviceSignature({ secrets: [newest, oldest], signedAt, body: '{}' });
    expect(isVerifiedByStripe('{}', header, newest)).toBe(true);
    expect(isVerifiedByStripe('{}', header, oldest)).toBe(true);
    expect(header).toMatch(/^t=\d+,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/);
    expect(header.startsWith(serviceSignature({ secrets: [newest], signedAt, body: '{}' }))).toBe(true);
  });

  test('is never verified with another secret', () => {
    fc.assert(
      fc.property(aSecret, aSecret, aBody, (secret, other, body) => {
        fc.pre(secret !== other);
        const header = serviceSignature({ secrets: [secret], signedAt: new Date(), body });
        expect(isVerifiedByStripe(body, header, other)).toBe(false);
      }),
    );
  });

  test('is never verified over a changed body', () => {
    fc.assert(
      fc.property(aSecret, aBody, fc.nat(), (secret, body, at) => {
        const header = serviceSignature({ secrets: [secret], signedAt: new Date(), body });
        expect(isVerifiedByStripe(tampered(body, at), header, secret)).toBe(false);
      }),
    );
  });

  test('is never verified more than five minutes later, nor with its time moved', () => {
    fc.assert(
      fc.property(aSecret, aBody, fc.integer({ min: 302, max: 10_000_000 }), (secret, body, age) => {
        const signedAt = new Date(Date.now() - age * 1000);
        const header = serviceSignature({ secrets: [secret], signedAt, body });
        const moved = header.replace(/t=\d+/, `t=${Math.floor(Date.now() / 1000)}`);
        expect(isVerifiedByStripe(body, header, secret)).toBe(false);
        expect(isVerifiedByStripe(body, moved, secret)).toBe(false);
      }),
    );
  });
});

describe('the Standard Webhooks headers', () => {
  test('are verified by the standard’s library for any secret and body', () => {
    fc.assert(
      fc.property(aSecret, aBody, (secret, body) => {
        const headers = standardWebhooksHeaders({
          secrets: [secret],
          signedAt: new Date(),
          body,
          eventId: 'evt_1',
        });
        expect(isVerifiedByStandard(body, headers, secret)).toBe(true);
      }),
    );
  });

  test('are verified with either secret while a rotation overlaps', () => {
    fc.assert(
      fc.property(aSecret, aSecret, aBody, (newest, oldest, body) => {
        const signing = { secrets: [newest, oldest], signedAt: new Date(), body, eventId: 'evt_1' };
        const headers = standardWebhooksHeaders(signing);
        expect(isVerifiedByStandard(body, headers, newest)).toBe(true);
        expect(isVerifiedByStandard(body, headers, oldest)).toBe(true);
      }),
    );
  });

  test('are never verified with another secret, body, id or time', () => {
    fc.assert(
      fc.property(aSecret, aSecret, aBody, fc.nat(), (secret, other, body, at) => {
        fc.pre(secret !== other);
        const headers = standardWebhooksHeaders({
          secrets: [secret],
          signedAt: new Date(),
          body,
          eventId: 'evt_1',
        });
        const later = { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) };
        expect(isVerifiedByStandard(body, headers, other)).toBe(false);
        expect(isVerifiedByStandard(tampered(body, at), headers, secret)).toBe(false);
        expect(isVerifiedByStandard(body, { ...headers, 'webhook-id': 'evt_2' }, secret)).toBe(false);
        expect(isVerifiedByStandard(body, later, secret)).toBe(false);
      }),
    );
  });

  test('are never verified more than five minutes later', () => {
    const secret = 'whsec_' + base64(randomBytes(24));
    const signedAt = new Date(Date.now() - (TOLERANCE_SECONDS + 2) * 1000);
    const headers = standardWebhooksHeaders({ secrets: [secret], signedAt, body: '{}', eventId: 'evt_1' });
    expect(isVerifiedByStandard('{}', headers, secret)).toBe(false);
  });
});

test('an attempt carries every header of the interface and the contract', () => {
  const secret = 'whsec_' + base64(Buffer.alloc(24, 1));
  const headers = deliveryHeaders({
    eventId: 'evt_0190',
    eventType: 'appointment.created',
    deliveryId: '01900000-0000-7000-8000-000000000000',
    attempt: 2,
    secrets: [secret],
    signedAt: new Date(1_636_936_200_999),
    body: '{}',
  });
  expect(headers).toEqual({
    'User-Agent': 'Service-Webhooks/1.0',
    Accept: '*/*',
    'Content-Type': 'application/json',
    'X-Service-Signature': expect.stringMatching(/^t=1636936200,v1=[0-9a-f]{64}$/),
    'X-Service-Event-Id': 'evt_0190',
    'X-Service-Event-Type': 'appointment.created',
    'X-Service-Delivery-Id': '01900000-0000-7000-8000-000000000000',
    'X-Service-Attempt': '2',
    'Idempotency-Key': 'evt_0190',
    'webhook-id': 'evt_0190',
    'webhook-timestamp': '1636936200',
    'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
  });
});

function isVerifiedByStripe(body: string, header: string, secret: string): boolean {
  return succeeds(() => Stripe.webhooks.constructEvent(body, header, secret, TOLERANCE_SECONDS));
}

function isVerifiedByStandard(body: string, headers: Record<string, string>, secret: string): boolean {
  return succeeds(() => new Webhook(secret).verify(body, headers));
}

function succeeds(verify: () => unknown): boolean {
  try {
    verify();
    return true;
  } catch (error) {
    if (isRefusal(error)) return false;
    throw error;
  }
}

/** Anything but a refusal, such as an unreadable body, would hide a test that proves nothing. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && /signature|timestamp/i.test(`${error.constructor.name} ${error.message}`);
}

/** The same JSON value with one space more: still readable, no longer the same bytes. */
function tampered(body: string, at: number): string {
  return at % 2 === 0 ? `${body} ` : ` ${body}`;
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
