// Comforts; every page works without them.
import './day.js';
import './summary.js';
import { isAgreed } from './confirm.js';

document.documentElement.classList.add('js');

document.addEventListener('click', (event) => {
  const button = event.target.closest('[data-copy]');
  if (button) void copy(button);
});

async function copy(button) {
  await navigator.clipboard.writeText(button.parentElement.querySelector('code').textContent);
  button.classList.add('done');
}

/** A page that says what was just done, in sight, stays where it was. */
const PLACE = 'place';

function keepPlace() {
  sessionStorage.setItem(PLACE, JSON.stringify([window.location.pathname, window.scrollY]));
}

function backInPlace() {
  const [path, top] = JSON.parse(sessionStorage.getItem(PLACE) ?? '[]');
  const isDone = document.querySelector('.notice.done') !== null;
  if (isDone && path === window.location.pathname) window.scrollTo({ top, behavior: 'instant' });
}

const TWICE_WITHIN_MS = 10_000;
let sentAt = new WeakMap();

document.addEventListener('submit', (event) => {
  const { target: form, submitter, timeStamp } = event;
  // A double click would take away the page that shows a new secret once.
  const isTwice = timeStamp - sentAt.get(form) < TWICE_WITHIN_MS;
  if (isTwice || !isAgreed(form, submitter)) event.preventDefault();
  else if (form.method === 'post') {
    sentAt.set(form, timeStamp);
    keepPlace();
  }
});

window.addEventListener('pageshow', () => {
  // Whoever comes back to a page may send its forms again.
  sentAt = new WeakMap();
  backInPlace();
  sessionStorage.removeItem(PLACE);
  // The browser has filled in what was chosen before; what depends on it is to be of that, too.
  for (const field of document.querySelectorAll('[hx-trigger="change"] :is(select, input)')) {
    if (!isAsLoaded(field)) field.dispatchEvent(new Event('change', { bubbles: true }));
  }
  // The address leads to the form at most; what is to be mended in it may be further down.
  document.querySelector('form .error')?.scrollIntoView({ block: 'center' });
});

function isAsLoaded({ type, checked, defaultChecked, value, defaultValue, selectedOptions }) {
  if (type === 'radio') return checked === defaultChecked;
  return selectedOptions ? selectedOptions[0]?.defaultSelected : value === defaultValue;
}

document.addEventListener('htmx:beforeSwap', ({ detail }) => {
  const isRefresh = detail.elt.getAttribute('hx-trigger')?.startsWith('every ');
  const isAsked = document.querySelector('dialog[open]') !== null;
  if (isRefresh && (isAsked || isUnderTheHand(detail.elt))) detail.shouldSwap = false;
});

/** What somebody is about to press, fill in or copy, or has ticked, stays where it is; the next refresh comes soon. */
function isUnderTheHand(part) {
  const selection = window.getSelection();
  return (
    part.querySelector(
      ':active, button:hover, input:checked, .dropped, :is(input, select, textarea):focus',
    ) !== null ||
    (!selection.isCollapsed && selection.containsNode(part, true))
  );
}

backInPlace();
document.querySelector('form[data-send-at-once]')?.requestSubmit();
