import { expect, test } from '@jest/globals';
import { aLog } from '../support/test-logger.ts';

const PHONE = '+351912345678';

test.each([
  ['where it is logged', { patientPhone: PHONE, attempt: 1 }],
  ['a level down', { request: { patientPhone: PHONE, method: 'POST' }, attempt: 1 }],
])('a field that must not reach a log is censored %s, and nothing else is', (_, fields) => {
  const { logger, lines } = aLog();
  logger.info(fields, 'something.happened');
  const censored = JSON.parse(JSON.stringify(fields).replace(PHONE, '[redacted]')) as object;
  expect(lines).toEqual([expect.objectContaining({ ...censored, event: 'something.happened' })]);
});
