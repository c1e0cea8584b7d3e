// Beside a form's button stands what is chosen in it.

const CHOSEN = '[name="patientName"], [name="service"]:checked, [data-said], [name="time"]:checked';

function summarise() {
  const place = document.querySelector('[data-summary]');
  if (!place) return;
  const form = place.closest('form');
  if (!form.querySelector('[name="time"]:checked')) return place.replaceChildren(place.dataset.summary);
  // A time of another day says which.
  const hasOwnDay = form.querySelector('[data-dated] [name="time"]:checked') !== null;
  const parts = [...form.querySelectorAll(CHOSEN)].filter(
    (part) => !(hasOwnDay && part.matches('[data-said]')),
  );
  const texts = parts
    .map((part) => textOf(part).trim().replaceAll(/\s+/g, ' '))
    .filter((text) => text !== '');
  place.replaceChildren(
    ...texts.flatMap((text, at) => (at === 0 ? [isolated(text)] : [' · ', isolated(text)])),
  );
}

/** A name that is written from right to left turns nothing beside it. */
function isolated(text) {
  return Object.assign(document.createElement('bdi'), { textContent: text });
}

function textOf(part) {
  if (part.type === 'radio') return part.closest('label').textContent;
  return part.value ?? part.textContent;
}

for (const event of ['input', 'change', 'htmx:afterSettle']) document.addEventListener(event, summarise);
window.addEventListener('pageshow', summarise);
