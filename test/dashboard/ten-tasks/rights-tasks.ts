import { readFile } from 'node:fs/promises';
import { expect } from '@jest/globals';
import { DATA_WORDS } from '../../../dashboard/patients/data-words.ts';
import { PATIENT_WORDS } from '../../../dashboard/patients/words.ts';
import { dayIn, TODAY } from './clinic-day.ts';
import { search, type Hand } from './hand.ts';
import type { Task } from './tasks.ts';

async function toDataOf(hand: Hand, name: string): Promise<void> {
  const { language } = hand.seat;
  await hand.begins(`/appointments?day=${TODAY}`);
  await search(hand, 'patients', name);
  await hand.sees(PATIENT_WORDS[language].data);
  await hand.pressLink(new RegExp(`^${PATIENT_WORDS[language].data}`));
  await hand.sees(DATA_WORDS[language].export.text);
}

export const RIGHTS_TASKS: readonly Task[] = [
  {
    title: 'a patient’s data is exported',
    who: 'ana',
    most: 4,
    async prepare(clinicDay) {
      await clinicDay.booked(dayIn(11), '09:00', { patientName: 'Otília Quaresma' });
      return async (hand) => {
        await toDataOf(hand, 'quaresma');
        const saved = hand.page.waitForEvent('download');
        await hand.pressLink(DATA_WORDS[hand.seat.language].export.button);
        const download = await saved;
        expect(download.suggestedFilename()).toMatch(/^patient-[\d-]+\.json$/);
        expect(await readFile(await download.path(), 'utf8')).toContain('Otília Quaresma');
      };
    },
  },
  {
    title: 'a patient is erased',
    who: 'ana',
    most: 5,
    async prepare(clinicDay) {
      await clinicDay.booked(dayIn(11), '10:00', { patientName: 'Quitéria Xavier' });
      return async (hand) => {
        const { erase, result } = DATA_WORDS[hand.seat.language];
        await toDataOf(hand, 'quiteria xavier');
        await hand.press(hand.page.getByLabel(erase.byName.label));
        await hand.type('Quitéria Xavier');
        await hand.pressButton(erase.button);
        await hand.sees(result.done);
        await hand.sees(result.kept.backups);
      };
    },
  },
];
