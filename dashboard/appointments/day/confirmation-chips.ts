import type { Html } from '../../../pages/html.ts';
import { chips } from '../../layout/narrowing.ts';
import type { View } from '../../layout/view.ts';
import { askedConfirmation, confirmationAddress, type AskedDay } from './asked-day.ts';
import { DAY_WORDS } from './words.ts';

/** Links to the day's list of patients who have confirmed, and of those who have not. */
export function confirmationChips({ language }: View, { day }: AskedDay, query: URLSearchParams): Html {
  const words = DAY_WORDS[language].confirmation;
  const asked = askedConfirmation(query);
  const each = (['yes', 'no'] as const).map((answer) => ({
    words: words[answer],
    address: confirmationAddress(query, day.date, answer),
    isChosen: asked === (answer === 'yes'),
  }));
  return chips(words.label, each);
}
