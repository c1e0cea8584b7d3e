import type { Html } from '../../../pages/html.ts';
import { chips, narrowed } from '../../layout/narrowing.ts';
import type { View } from '../../layout/view.ts';
import { CONFIRMED, DAY_ADDRESS, type AskedDay } from './asked-day.ts';
import { DAY_WORDS } from './words.ts';

/** Links to the day's list of patients who have confirmed, and of those who have not. */
export function confirmationChips({ language }: View, { day }: AskedDay, query: URLSearchParams): Html {
  const words = DAY_WORDS[language].confirmation;
  const list = { day: day.date, view: 'list', cursor: null, first: null };
  const each = (['yes', 'no'] as const).map((answer) => {
    const isChosen = query.get(CONFIRMED) === answer;
    const address = narrowed(DAY_ADDRESS, query, { ...list, [CONFIRMED]: isChosen ? null : answer });
    return { words: words[answer], address, isChosen };
  });
  return chips(words.label, each);
}
