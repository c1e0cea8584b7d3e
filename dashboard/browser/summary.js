// Beside a form's button stands what is chosen in it.

const CHOSEN = '[name="patientName"], [name="service"]:checked, [data-said], [name="time"]:checked';

function summarise() {
  const place = document.querySelector('[data-summary]');
  if (!place) return;
  const form = place.closest('form');
  // A time of another day says which.
  const hasOwnDay = form.querySelector('[data-dated] [name="time"]:checked') !== null;
  const parts = [...form.querySelectorAll(CHOSEN)].filter(
    (part) => !(hasOwnDay && part.matches('[data-said]')),
  );
  place.textContent = parts
    .map((part) => textOf(part).trim().replaceAll(/\s+/g, ' '))
    .filter((text) => text !== '')
    .join(' · ');
}

function textOf(part) {
  if (part.type === 'radio') return part.closest('label').textContent;
  return part.value ?? part.textContent;
}

for (const event of ['input', 'change', 'htmx:afterSettle']) document.addEventListener(event, summarise);
window.addEventListener('pageshow', summarise);
