import { html, type Html, type Part } from '../../../pages/html.ts';
import { wordsOfKey } from '../../language/words-of-key.ts';
import { facts } from '../../layout/components.ts';
import type { View } from '../../layout/view.ts';
import { EDIT_WORDS } from '../../edits/words.ts';
import { ONE_APPOINTMENT_WORDS } from '../appointment-words.ts';
import type { WholeAppointment } from './find-whole-appointment.ts';

/** A page is to stay small, whatever a form asked. */
const MOST_ANSWERS = 40;
const LONGEST_ANSWER = 500;

/** What the patient answered before the visit, and said after it; nothing where nothing was asked. */
export function answers(view: View, { triage, rating }: WholeAppointment): Html | null {
  if (!triage && !rating) return null;
  const words = ONE_APPOINTMENT_WORDS[view.language];
  return html`${
    triage &&
    html`<h2>${words.triage}</h2>
      ${facts(
        Object.entries(triage.answers)
          .slice(0, MOST_ANSWERS)
          .map(([name, answer]) => [capital(wordsOfKey(name)), answerText(view, answer)] as const),
      )}`
  }
  ${
    rating &&
    html`<h2>${words.rating}</h2>
      <p><strong>${words.outOfTen(view.format.number(rating.score))}</strong></p>
      ${rating.comment && html`<blockquote>${rating.comment}</blockquote>`}`
  }`;
}

function answerText(view: View, answer: unknown): Part {
  if (Array.isArray(answer)) return answer.map((each) => plain(view, each)).join(', ');
  return plain(view, answer);
}

function plain({ language, format }: View, answer: unknown): string {
  const { yes, no } = EDIT_WORDS[language];
  if (typeof answer === 'boolean') return answer ? yes : no;
  if (typeof answer === 'number') return format.number(answer);
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
  return text.length > LONGEST_ANSWER ? `${text.slice(0, LONGEST_ANSWER)}…` : text;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
