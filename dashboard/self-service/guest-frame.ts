import { html, type Html } from '../../pages/html.ts';
import { document } from '../layout/frame.ts';
import type { Page } from '../serving/page-request.ts';
import { addressOf } from './calendar-file.ts';
import { hasPublicPages, type Guest } from './guest.ts';

/** A whole page for a patient: the clinic's, not ours. @param assets the folder of scripts and styles */
export function guestPage({ title, body }: Page, { clinic, language, home }: Guest, assets: string): Html {
  return document(
    { title: title === clinic.name ? title : `${title} · ${clinic.name}`, language, assets },
    html`<main id="main" class="guest">
      <p class="clinic">
        ${hasPublicPages(clinic) ? html`<a href="${home}">${clinic.name}</a>` : clinic.name}
      </p>
      <h1>${title}</h1>
      ${body}
      <footer>
        ${addressOf(clinic)}
        ${clinic.phone !== null && html`<br /><a href="tel:${clinic.phone}">${clinic.phone}</a>`}
      </footer>
    </main>`,
  );
}
