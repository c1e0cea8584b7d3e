import { offerCopies, rememberLanguage } from './code.js';
import { offerSearch } from './search.js';
import { offerTrial } from './try-it.js';

// What needs a script is shown only where one runs.
document.documentElement.classList.add('js');
offerCopies();
rememberLanguage();
offerSearch(document.querySelector('#search'));
offerTrial(document.querySelector('form.try'));
document.querySelector('.menu [aria-current]')?.scrollIntoView({ block: 'nearest' });
unfoldTarget();
addEventListener('hashchange', unfoldTarget);

/** A link to a field within a folded one opens what hides it. */
function unfoldTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  for (let box = target.closest('details'); box; box = box.parentElement.closest('details')) box.open = true;
  target.scrollIntoView();
}
