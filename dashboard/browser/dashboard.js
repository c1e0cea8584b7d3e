// Comforts; every page works without them.

document.documentElement.classList.add('js');

document.addEventListener('click', (event) => {
  const button = event.target.closest('[data-copy]');
  if (button) void copy(button);
});

async function copy(button) {
  await navigator.clipboard.writeText(button.parentElement.querySelector('code').textContent);
  button.classList.add('done');
}

const TWICE_WITHIN_MS = 10_000;
let sentAt = new WeakMap();

document.addEventListener('submit', (event) => {
  const { target: form, timeStamp } = event;
  const question = form.dataset.confirm;
  // A double click would take away the page that shows a new secret once.
  const isTwice = timeStamp - sentAt.get(form) < TWICE_WITHIN_MS;
  if (isTwice || (question && !window.confirm(question))) event.preventDefault();
  else if (form.method === 'post') sentAt.set(form, timeStamp);
});

// Whoever comes back to a page may send its forms again.
window.addEventListener('pageshow', () => (sentAt = new WeakMap()));
