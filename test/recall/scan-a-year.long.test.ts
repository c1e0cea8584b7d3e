import { expect, test } from '@jest/globals';
import { aClinic } from '../support/clinic.ts';
import { suiteDatabase } from '../support/database.ts';
import { aVisit, recallsOf, scanAt } from './recall-clinic.ts';

const database = await suiteDatabase();

test('a year of quarter-hourly scans over both changes of the clocks sends each recall on its day, once', async () => {
  const clinic = await aClinic(database, { config: { timezone: 'America/New_York' } });
  const due: Record<string, string> = {
    '2025-08-31T14:00:00Z': '2026-02-28T14:00:00.000Z',
    '2025-09-08T14:00:00Z': '2026-03-08T13:00:00.000Z',
    '2026-05-01T14:00:00Z': '2026-11-01T14:00:00.000Z',
    '2026-05-31T03:00:00Z': '2026-11-30T14:00:00.000Z',
  };
  for (const at of Object.keys(due)) await aVisit(database, clinic, { patient: at, at });
  const sent: Record<string, string> = {};
  const end = Date.parse('2027-01-01T00:00:00Z');
  for (let ms = Date.parse('2026-01-01T00:00:00Z'); ms < end; ms += 900_000) {
    const hour = new Date(ms).getUTCHours();
    // The other hours of the day cannot begin one.
    if (hour < 12 || hour > 14) continue;
    const { recalls } = await scanAt(database, new Date(ms));
    if (recalls === 0) continue;
    for (const { lastVisitAt } of await recallsOf(database, clinic)) {
      sent[lastVisitAt.replace('.000Z', 'Z')] ??= new Date(ms).toISOString();
    }
  }
  expect(sent).toEqual(due);
  expect(await recallsOf(database, clinic)).toHaveLength(Object.keys(due).length);
});
