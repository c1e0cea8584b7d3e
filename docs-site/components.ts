import { anchorOf } from './anchor.ts';
import { html, type Html, type Part } from '../pages/html.ts';

/** A second-level heading with a link. */
export function sectionHeading(title: string, anchor = anchorOf(title)): Html {
  return html`<h2 id="${anchor}"><a class="anchor" href="#${anchor}">${title}</a></h2>`;
}

export interface TableRow {
  cells: readonly Part[];
  anchor?: string;
}

/** A table that scrolls horizontally, also by keyboard. */
export function dataTable(heads: readonly Part[], rows: readonly TableRow[]): Html {
  return html`<div class="table" tabindex="0" role="group" aria-label="Table">
    <table>
      <thead>
        <tr>
          ${heads.map((head) => html`<th scope="col">${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(({ cells, anchor }) => tableRow(cells, anchor))}
      </tbody>
    </table>
  </div>`;
}

function tableRow(cells: readonly Part[], anchor: string | undefined): Html {
  const id = anchor !== undefined && html`id="${anchor}"`;
  return html`<tr ${id}>
    ${cells.map((cell) => html`<td>${cell}</td>`)}
  </tr>`;
}
