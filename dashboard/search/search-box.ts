import { mayUse, type Rights } from '../../domain/people/roles.ts';
import { html, type Html } from '../../pages/html.ts';
import { form } from '../layout/form.ts';
import type { View } from '../layout/view.ts';
import { ASKED, MAX_QUESTION } from './question.ts';
import { SEARCH_WORDS } from './words.ts';

export const PATIENTS = '/patients';
export const DESK = '/support';

/**
 * The search box of every page: staff search for patients, support for anything. It uses POST, so that no address names
 * a patient.
 */
export function searchBox(view: View): Html | null {
  const what = whatIsFound(view.session);
  if (what === null) return null;
  const words = SEARCH_WORDS[view.language][what];
  return form(
    view,
    { action: what === 'patients' ? PATIENTS : DESK, className: 'search' },
    html`<label class="unseen" for="search">${words.label}</label>
      <input
        id="search"
        name="${ASKED}"
        type="search"
        placeholder="${words.placeholder}"
        maxlength="${MAX_QUESTION}"
        required
        enterkeyhint="search"
      />
      <button class="second">${words.button}</button>`,
  );
}

function whatIsFound(rights: Rights): 'patients' | 'anything' | null {
  if (mayUse(rights, 'support')) return 'anything';
  return mayUse(rights, 'appointments') ? 'patients' : null;
}
