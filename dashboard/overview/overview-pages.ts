import { html } from '../../pages/html.ts';
import { FRAME_WORDS } from '../layout/words.ts';
import { clinicPage, type PageRoute } from '../page-request.ts';

/** The first page of a clinic's people. */
export function overviewPages(): PageRoute[] {
  return [
    clinicPage('GET', '/', 'overview', async ({ view }) => ({
      title: FRAME_WORDS[view.language].sections.overview,
      body: html`<p>${view.format.day(view.now)}</p>`,
    })),
  ];
}
