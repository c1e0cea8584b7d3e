import { html, type Html } from '../../pages/html.ts';

/** The search runs in the browser, so it is shown only where there is a script. */
export function searchBox(root: string, assets: string): Html {
  return html`<search class="scripted">
    <input
      type="search"
      id="search"
      placeholder="Search"
      aria-label="Search the documentation"
      role="combobox"
      aria-expanded="false"
      aria-controls="results"
      aria-autocomplete="list"
      autocomplete="off"
      spellcheck="false"
      data-root="${root}"
      data-assets="${assets}"
    />
    <kbd aria-hidden="true">/</kbd>
    <ul id="results" role="listbox" aria-label="Results" hidden></ul>
    <p id="search-status" class="unseen" role="status"></p>
  </search>`;
}
