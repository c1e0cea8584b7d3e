import { SEARCH_OPTIONS } from './search-options.js';

const MOST_RESULTS = 8;

/** Of the best result’s score: what has less only shares a word. */
const LEAST_SHARE = 0.2;

/** The index is fetched when the reader turns to the search; from then on nothing is asked of the server. */
export function offerSearch(input) {
  const list = document.querySelector('#results');
  let loading;
  const load = () => (loading ??= loadIndex(input.dataset));
  input.addEventListener('focus', load);
  input.addEventListener('input', async () => show(find(await load(), input.value), input, list));
  input.addEventListener('keydown', (event) => choose(event, input, list));
  addEventListener('click', ({ target }) => {
    if (!list.contains(target) && target !== input) close(input, list);
  });
  addEventListener('keydown', (event) => {
    if (!asksForSearch(event)) return;
    event.preventDefault();
    input.focus();
    input.select();
  });
}

async function loadIndex({ assets }) {
  const folder = new URL(`${assets}/`, location.href);
  const [{ default: MiniSearch }, json] = await Promise.all([
    import(new URL('minisearch.js', folder).href),
    fetch(new URL('search.json', folder)).then((answer) => answer.text()),
  ]);
  return MiniSearch.loadJSON(json, SEARCH_OPTIONS);
}

function find(index, words) {
  const results = index.search(words);
  const least = (results[0]?.score ?? 0) * LEAST_SHARE;
  return results.filter(({ score }) => score >= least).slice(0, MOST_RESULTS);
}

function show(results, input, list) {
  list.replaceChildren(...results.map((result, at) => resultItem(result, at, input.dataset.root)));
  const hasWords = input.value.trim() !== '';
  list.hidden = results.length === 0;
  input.setAttribute('aria-expanded', String(!list.hidden));
  input.removeAttribute('aria-activedescendant');
  const isNothing = hasWords && list.hidden;
  const count = results.length === 1 ? '1 result' : `${results.length} results`;
  const said = isNothing ? 'Nothing found. Try other words.' : count;
  tell(hasWords ? said : '', isNothing);
}

/** To who listens; to who looks only where there is nothing else to see. */
function tell(textContent, isShown) {
  const className = isShown ? 'nothing' : 'unseen';
  Object.assign(document.querySelector('#search-status'), { textContent, className });
}

function resultItem({ id, page, heading, about }, at, root) {
  const item = element('li', { id: `result-${at}`, role: 'option' });
  const link = element('a', { href: `${root}${id}`, tabIndex: -1 });
  link.append(element('b', { textContent: heading || page }));
  if (heading) link.append(element('span', { className: 'of', textContent: page }));
  link.append(element('span', { className: 'about', textContent: about }));
  item.append(link);
  return item;
}

function element(name, properties) {
  return Object.assign(document.createElement(name), properties);
}

function choose(event, input, list) {
  const items = [...list.children];
  const at = items.findIndex((item) => item.ariaSelected === 'true');
  if (event.key === 'Escape') return close(input, list);
  if (event.key === 'Enter') return void (items[at] ?? items[0])?.querySelector('a').click();
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || items.length === 0) return;
  event.preventDefault();
  const next = items[(at + step + items.length + (at < 0 && step < 0 ? 1 : 0)) % items.length];
  for (const item of items) item.ariaSelected = String(item === next);
  next.scrollIntoView({ block: 'nearest' });
  input.setAttribute('aria-activedescendant', next.id);
}

function close(input, list) {
  list.hidden = true;
  input.setAttribute('aria-expanded', 'false');
  tell('', false);
}

/** `/`, unless somebody is writing, or Ctrl-K. */
function asksForSearch({ key, ctrlKey, metaKey, target }) {
  if (key === 'k' && (ctrlKey || metaKey)) return true;
  return key === '/' && !target.closest('input, textarea, select');
}
