const KEY = 'api-key';

/** Sends the request of the page with the reader’s key, which stays in this tab. */
export function offerTrial(form) {
  if (!form) return;
  const key = form.elements.key;
  if (key) {
    key.value = sessionStorage.getItem(KEY) ?? '';
    key.addEventListener('change', () => sessionStorage.setItem(KEY, key.value));
  }
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const output = form.querySelector('output');
    output.textContent = 'Sending …';
    output.replaceChildren(...(await send(form).catch(failure)));
  });
}

async function send(form) {
  const started = performance.now();
  const answer = await fetch(addressOf(form), requestOf(form));
  const text = await answer.text();
  const elapsedMs = Math.round(performance.now() - started);
  const status = `${answer.status} ${answer.statusText} · ${elapsedMs} ms · request ${answer.headers.get('x-request-id')}`;
  return [line(status), block(pretty(text))];
}

/** The pages stand beside the API: /docs/… and /v1/… */
function addressOf({ dataset, elements }) {
  const filled = dataset.path.replace(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(valueAt(elements, 'path', name)),
  );
  const address = new URL(`..${filled}`, location.href);
  for (const { dataset: place, name, value } of elements) {
    if (place.place === 'query' && value !== '') address.searchParams.set(name, value);
  }
  return address;
}

function valueAt(elements, place, wanted) {
  return [...elements].find(({ dataset, name }) => dataset.place === place && name === wanted)?.value ?? '';
}

function requestOf({ dataset, elements }) {
  const headers = new Headers();
  if (elements.key?.value) headers.set('Authorization', `Bearer ${elements.key.value.trim()}`);
  for (const { dataset: place, name, value } of elements) {
    if (place.place === 'header' && value !== '') headers.set(name, value);
  }
  const body = elements.body?.value.trim();
  if (body) headers.set('Content-Type', 'application/json');
  return { method: dataset.method, headers, ...(body && { body }) };
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function failure(error) {
  return [line(`The request could not be sent: ${error.message}`)];
}

function line(text) {
  return Object.assign(document.createElement('p'), { className: 'said', textContent: text });
}

function block(text) {
  if (text === '') return '';
  return Object.assign(document.createElement('pre'), { className: 'code', tabIndex: 0, textContent: text });
}
