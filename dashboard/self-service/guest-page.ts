import { isolated } from '../../domain/text/isolated-text.ts';
import { html, type Html } from '../../pages/html.ts';
import { LOCALES } from '../language/language.ts';
import { document } from '../layout/frame.ts';
import { FRAME_WORDS, OTHER_LANGUAGE } from '../layout/words.ts';
import type { Page } from '../serving/page-request.ts';
import { hasPublicPages, type Guest } from './guest.ts';
import { streetOf } from '../../commands/self-service/visit-details.ts';
import { SELF_SERVICE_WORDS } from './words.ts';

/** The query parameter of the language switch. */
export const LANGUAGE = 'language';

interface Place {
  /** The path of scripts and styles. */
  assets: string;
  /** The address of the page. */
  page: string;
}

/** A page for a patient: the clinic with its address and phone, and a switch to the other language. */
export function guestPage({ title, body }: Page, guest: Guest, { assets, page }: Place): Html {
  const { clinic, language, format, home } = guest;
  const other = OTHER_LANGUAGE[language];
  const inOther = `${page}${page.includes('?') ? '&' : '?'}${LANGUAGE}=${other}`;
  return document(
    { title: `${isolated(title)} · ${isolated(clinic.name)}`, language, assets },
    html`<main id="main" class="guest">
      <div class="clinic">
        <p>
          <strong
            >${hasPublicPages(clinic) ? html`<a href="${home}">${clinic.name}</a>` : clinic.name}</strong
          >
          <a lang="${LOCALES[other]}" hreflang="${LOCALES[other]}" rel="nofollow" href="${inOther}"
            >${FRAME_WORDS[language].otherLanguage}</a
          >
        </p>
        ${whereAndPhone(guest)}
      </div>
      <h1>${title}</h1>
      ${body}
      <footer>${SELF_SERVICE_WORDS[language].zone(`${format.zoneName}, ${format.zone}`)}</footer>
    </main>`,
  );
}

const MAP = 'https://www.openstreetmap.org/search';

function whereAndPhone({ clinic, language }: Guest): Html | null {
  const street = streetOf(clinic);
  const { phone } = clinic;
  if (street === '' && phone === null) return null;
  const map = `${MAP}?${new URLSearchParams({ query: street }).toString()}`;
  return html`<p class="soft">
    ${street}
    ${street !== '' && html`<a href="${map}" rel="noreferrer">${SELF_SERVICE_WORDS[language].map}</a>`}
    ${phone !== null && html`<a href="tel:${phone}">${phone}</a>`}
  </p>`;
}
