import { html, type Html, type Part } from '../../pages/html.ts';

/** One filter of a list. */
export interface Chip {
  words: Part;
  /**
   * The address of the filtered list. For an active filter it is the list without this filter, or null if one filter is
   * always active.
   */
  address: string | null;
  isChosen: boolean;
}

/** Filter links, of which at most one is active; clicking it again removes it. */
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
  /** The list's address. */
  action: string;
  /** The current filters. */
  query: URLSearchParams;
  label: string;
  hint: string;
  button: string;
}

/** The name of the search field. */
export const SOUGHT = 'q';

/** A search field that keeps the list's other filters. */
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

/** Hidden inputs for the address's other parameters. */
export function keptInputs(query: URLSearchParams, asked: readonly string[]): Html[] {
  return [...query]
    .filter(([name, value]) => value !== '' && !asked.includes(name))
    .map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`);
}

/** The list's address with changed filters. @param changes null removes a filter */
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
