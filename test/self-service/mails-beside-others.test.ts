import { expect, test } from '@jest/globals';
import { forSuite } from '../support/for-suite.ts';
import { until } from '../support/until.ts';
import { createWorkerSurroundings } from '../worker/running-worker.ts';
import { aCrowdedClinic } from './mails-beside-others.ts';

const surroundings = await forSuite(createWorkerSurroundings());

test('a mail server that stays silent to patients’ mails delays no mail to a clinic and no no-show', async () => {
  const { promise: spoken, resolve: speak } = Promise.withResolvers<void>();
  const clinic = await aCrowdedClinic(surroundings, { patients: 12, answer: () => spoken });
  await until('four mails that wait for the server', () => clinic.toPatients().length === 4);
  await clinic.somethingElseHappens();
  expect(clinic.toPatients()).toHaveLength(4);
  speak();
  await until('every mail', async () => (await clinic.countDue()) === 0);
  expect(new Set(clinic.toPatients().map(({ to }) => to)).size).toBe(12);
  await clinic.worker.stop();
  expect(clinic.log.filter((line) => line.includes('patient.mailed'))).toHaveLength(12);
  expect(clinic.log.join()).not.toMatch(/many\.example|Clínica da Luz|\/book\/a\//);
});

test('ten thousand mails to the patients of a clinic delay no mail about an endpoint', async () => {
  const clinic = await aCrowdedClinic(surroundings, { patients: 10_000, answer: async () => undefined });
  await until('the first mails', () => clinic.toPatients().length > 20);
  await clinic.somethingElseHappens();
  expect(await clinic.countDue()).toBeGreaterThan(100);
  await clinic.worker.stop();
});
