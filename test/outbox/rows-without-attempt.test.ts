import { expect, test } from '@jest/globals';
import { AttemptShares } from '../../sending/attempt-shares.ts';
import { FirstAttempts, type FirstAttemptsOptions } from '../../worker/outbox/first-attempts.ts';
import type { WakeUp } from '../../worker/outbox/wake-up.ts';
import { aClinic, anEndpoint } from '../support/clinic.ts';
import { openTestDatabase } from '../support/database.ts';
import { testLogger } from '../support/test-logger.ts';
import { until } from '../support/until.ts';
import { aLease } from '../support/leases.ts';
import { insertDeliveryRows } from '../support/waiting-deliveries.ts';

const ROWS = 500;

/** Anyone who sleeps by it is woken or sleeps on. */
function wakeUpWithoutLimit(): Pick<WakeUp, 'wake' | 'next'> {
  let wake = () => {};
  let woken = new Promise<void>((resolve) => (wake = resolve));
  return {
    wake: () => wake(),
    async next() {
      await woken;
      woken = new Promise<void>((resolve) => (wake = resolve));
    },
  };
}

test('rows that need no attempt make room for the next ones at once', async () => {
  await using database = await openTestDatabase();
  const { tenantId: clinicId } = await aClinic(database);
  const endpointId = await anEndpoint(database, clinicId);
  await insertDeliveryRows(database.em(), { clinicId, endpointId }, ROWS);
  const workerId = await aLease(database.em());
  let passedOn = 0;
  const wakeUp = wakeUpWithoutLimit();
  const attempts = new FirstAttempts({
    database,
    lease: { claim: (claim: (workerId: string) => Promise<unknown[]>) => claim(workerId) },
    acknowledgements: { done: () => (passedOn += 1) },
    shares: new AttemptShares(),
    wakeUp,
    logger: testLogger(),
  } as unknown as FirstAttemptsOptions);
  const stopping = new AbortController();
  const running = attempts.run(stopping.signal);
  try {
    await until('all rows', () => passedOn === ROWS);
  } finally {
    stopping.abort();
    wakeUp.wake();
    await running;
  }
  expect(passedOn).toBe(ROWS);
});
