import { expect, test } from '@jest/globals';
import { Stripe } from 'stripe';
import { keepSchedules } from '../../adapters/temporal/schedules.ts';
import { RECALL_SCAN_SCHEDULE } from '../../domain/temporal-names.ts';
import { aClinic } from '../support/clinic.ts';
import { readHistories } from '../support/temporal-histories.ts';
import { until } from '../support/until.ts';
import { createWorkerSurroundings } from '../worker/running-worker.ts';
import { aVisit, patient, recallsOf } from './recall-clinic.ts';
import { forSuite } from '../support/for-suite.ts';

const surroundings = await forSuite(createWorkerSurroundings());

/** Zones named after their offset, west positive: one where it is past 09:00 now, and one where it is not. */
function zones(): { morning: string; night: string } {
  const hour = new Date().getUTCHours();
  const named = (localHour: number) => {
    const west = (hour - localHour + 36) % 24;
    return `Etc/GMT${west > 12 ? `+${west - 12}` : `-${12 - west}`}`;
  };
  return { morning: named(14), night: named(3) };
}

test('from a visit long ago to the receiver, by way of the schedule: signed, once, without the patient in Temporal', async () => {
  const { database, namespace } = surroundings;
  const { morning, night } = zones();
  const [open, asleep] = [
    await aClinic(database, { config: { timezone: morning } }),
    await aClinic(database, { config: { timezone: night } }),
  ];
  const receiver = await surroundings.startReceiver();
  const { secret } = await surroundings.subscribe(open.tenantId, receiver.url(), ['patient.recall_due']);
  for (const clinic of [open, asleep]) {
    await aVisit(database, clinic, { patient: 'Maria', at: '2020-05-04T10:00:00Z' });
  }
  await surroundings.startWorker();
  await namespace.temporal.ask(keepSchedules);
  const scans = async () => {
    const { info } = await namespace.temporal.ask((client) =>
      client.schedule.getHandle(RECALL_SCAN_SCHEDULE).describe(),
    );
    return info.recentActions.map(({ action }) => action.workflow);
  };
  const trigger = () =>
    namespace.temporal.ask((client) => client.schedule.getHandle(RECALL_SCAN_SCHEDULE).trigger('ALLOW_ALL'));
  await trigger();
  const [request] = await receiver.received(1);
  const signature = String(request?.headers['x-service-signature']);
  expect(Stripe.webhooks.constructEvent(request?.body ?? '', signature, secret)).toMatchObject({
    type: 'patient.recall_due',
    data: { patientPhoneHash: patient('Maria'), lastVisitAt: '2020-05-04T10:00:00.000Z' },
  });
  const [, second] = await until('the second scan', async () => {
    // A schedule names its workflows by the second: within the first one's there is no other.
    await trigger();
    const found = await scans();
    return found.length >= 2 && found;
  });
  await namespace.temporal.ask((client) => client.workflow.getHandle(second?.workflowId ?? '').result());
  expect(receiver.requests).toHaveLength(1);
  expect(await recallsOf(database, open)).toHaveLength(1);
  expect(await recallsOf(database, asleep)).toEqual([]);
  const histories = await readHistories(namespace.address, namespace.namespace);
  expect(histories.join('\n')).not.toContain(patient('Maria'));
});
