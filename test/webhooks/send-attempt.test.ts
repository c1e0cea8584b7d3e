import { afterEach, expect, test } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { heartbeatWhile } from '../../activities/delivery.activities.ts';
import { momentNow } from '../../adapters/timing/moment.ts';
import { createEndpoint } from '../../commands/webhooks/save-endpoint.ts';
import { findDeliveryToAttempt } from '../../db/webhooks/deliveries/delivery-to-attempt.ts';
import { createSendAttempt } from '../../sending/send-attempt.ts';
import { aClinic, asOperator } from '../support/clinic.ts';
import { suiteDatabase } from '../support/database.ts';
import { startTrustedReceiver } from '../support/servers/trusted-receiver.ts';
import { shiftClock } from '../support/shift-clock.ts';
import { testLogger } from '../support/test-logger.ts';
import { anEventFor } from './recorded-attempts.ts';
import { forSuite } from '../support/for-suite.ts';

const NOT_BEGUN = expect.objectContaining({ name: 'AttemptNotBegun' });

let putClockBack = () => {};

const database = await suiteDatabase();
const sending = await forSuite(startTrustedReceiver());
const { receiver } = sending;
const { webhookClient } = sending;
const send = createSendAttempt({ ciphers: database.ciphers, webhookClient, logger: testLogger() });
const { tenantId } = await aClinic(database);
const input = { tenantId, url: receiver.url(), events: ['*'], description: null };
const { endpoint } = await database.write((em) => createEndpoint(em, input, asOperator()));
const { id } = await anEventFor(database, { tenantId, endpointId: endpoint.id });
const found = await findDeliveryToAttempt(database.em(), tenantId, id);
if (!found) throw new Error('no delivery');
const delivery = found;
afterEach(() => putClockBack());

test('what the rows said too long ago is not sent, though it counted before the keys were opened', async () => {
  const askedAt = momentNow();
  putClockBack = shiftClock(1000);
  await expect(send(delivery, 1, { askedAt, isOurs: () => true })).rejects.toEqual(NOT_BEGUN);
  expect(receiver.requests).toEqual([]);
});

test('what is someone else’s by the time there is a connection is not sent; the connection serves the next', async () => {
  const right = { askedAt: momentNow(), isOurs: () => receiver.requests.length > 0 };
  await expect(send(delivery, 1, right)).rejects.toEqual(NOT_BEGUN);
  expect(receiver.requests).toEqual([]);
  const made = await send(delivery, 1, { askedAt: momentNow(), isOurs: () => true });
  expect(made.outcome).toBe('succeeded');
  expect(receiver.requests.map(({ connection }) => connection)).toEqual([1]);
});

test('an activity that has not beaten for as long as Temporal waits takes its attempt for another’s', async () => {
  const activity = new MockActivityEnvironment({ heartbeatTimeoutMs: 20_000 });
  const seen = await activity.run(() =>
    heartbeatWhile(async ({ isOurs }) => {
      const before = isOurs();
      putClockBack = shiftClock(20_000);
      return [before, isOurs()];
    }),
  );
  expect(seen).toEqual([true, false]);
});
