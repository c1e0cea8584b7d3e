import { csvAddress } from '../csv/csv-link.ts';
import { html, type Html } from '../../pages/html.ts';
import { guideFor } from './guides.ts';
import type { View } from './view.ts';
import { FRAME_WORDS } from './words.ts';

/** Beside the title: in which zone times are read, the list as a file, and the guide. */
export function aboutPage(view: View): Html {
  const words = FRAME_WORDS[view.language];
  const { zone } = view.format;
  const csv = csvAddress(view);
  const guide = guideFor(view.address);
  return html`<p class="about">
    <span>${view.session.tenantId === null ? words.zones : words.zone(zone)}</span>
    ${csv !== null && html`<a href="${csv}" download>${words.csv}</a>`}
    ${guide !== null && html`<a href="${view.guides}/${guide}" target="_blank" rel="noopener">${words.guide}</a>`}
  </p>`;
}
