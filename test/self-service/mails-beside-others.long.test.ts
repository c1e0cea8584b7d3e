import { expect, test } from '@jest/globals';
import { forSuite } from '../support/for-suite.ts';
import { until } from '../support/until.ts';
import { createWorkerSurroundings } from '../worker/running-worker.ts';
import { aCrowdedClinic } from './mails-beside-others.ts';

const surroundings = await forSuite(createWorkerSurroundings());
const PATIENTS = 10_000;
/** On a busy machine. */
const LIMIT_MS = 1_200_000;

test(
  'ten thousand patients of a clinic each get their mail once',
  async () => {
    const clinic = await aCrowdedClinic(surroundings, { patients: PATIENTS, answer: async () => undefined });
    await clinic.somethingElseHappens();
    await until('every mail', async () => (await clinic.countDue()) === 0, LIMIT_MS);
    const addresses = clinic.toPatients().map(({ to }) => to);
    expect([addresses.length, new Set(addresses).size]).toEqual([PATIENTS, PATIENTS]);
    await clinic.worker.stop();
  },
  LIMIT_MS,
);
