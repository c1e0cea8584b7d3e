import { html, type Html, type Part } from '../../pages/html.ts';

/** One way to narrow a list. */
export interface Chip {
  words: Part;
  /** Of the list narrowed so; of one that is chosen the list without it, null where one of them always is. */
  address: string | null;
  isChosen: boolean;
}

/** Links beside each other that narrow a list, of which one at most is chosen; pressed again it is given up. */
export function chips(label: string, each: readonly Chip[]): Html {
  return html`<div class="chips" role="group" aria-label="${label}">
    <span class="soft" aria-hidden="true">${label}</span>
    ${each.map(chip)}
  </div>`;
}

function chip({ words, address, isChosen }: Chip): Html {
  if (address === null) return html`<span class="chip" aria-current="true">${words}</span>`;
  return html`<a class="chip" href="${address}" ${isChosen && html`aria-current="true"`}
    >${words}${isChosen && html` <span aria-hidden="true">×</span>`}</a
  >`;
}

export interface SearchField {
  /** Of the list. */
  action: string;
  /** What is asked for now. */
  query: URLSearchParams;
  label: string;
  hint: string;
  button: string;
}

/** The name of the field that something is looked up by. */
export const SOUGHT = 'q';

/** One field to look something up by; what the list is narrowed by already stays. */
export function searchField({ action, query, label, hint, button }: SearchField): Html {
  return html`<form class="seek" action="${action}" role="search">
    ${keptInputs(query, [SOUGHT])}
    <label for="${SOUGHT}">${label}</label>
    <input
      id="${SOUGHT}"
      name="${SOUGHT}"
      type="search"
      value="${query.get(SOUGHT) ?? ''}"
      maxlength="200"
      autocomplete="off"
      spellcheck="false"
      aria-describedby="${SOUGHT}-more"
    />
    <button class="second">${button}</button>
    <p class="more" id="${SOUGHT}-more">${hint}</p>
  </form>`;
}

/** What a form takes along of the address, but for what it asks for itself. */
export function keptInputs(query: URLSearchParams, asked: readonly string[]): Html[] {
  return [...query]
    .filter(([name, value]) => value !== '' && !asked.includes(name))
    .map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`);
}

/** The address of a list that is narrowed otherwise. @param changes null: no longer by this */
export function narrowed(
  action: string,
  query: URLSearchParams,
  changes: Record<string, string | null>,
): string {
  const changed = new URLSearchParams(
    [...query].filter(([name, value]) => value !== '' && !(name in changes)),
  );
  for (const [name, value] of Object.entries(changes)) if (value !== null) changed.set(name, value);
  return changed.size === 0 ? action : `${action}?${changed.toString()}`;
}
