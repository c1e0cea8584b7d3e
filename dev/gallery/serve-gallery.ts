import { loadAssets } from '../../dashboard/assets.ts';
import { formatFor } from '../../dashboard/language/format.ts';
import { framedPage, document } from '../../dashboard/layout/frame.ts';
import type { View } from '../../dashboard/layout/view.ts';
import type { Handle } from '../../dashboard/serving/listen.ts';
import { type Html, html } from '../../pages/html.ts';
import { siteFile, type SiteFile } from '../../pages/site-file.ts';
import { galleryPage } from './gallery-page.ts';
import { facts, notice } from '../../dashboard/layout/components.ts';
import { field } from '../../dashboard/layout/form.ts';

/** A fixed time, so that screenshots can be compared. */
const NOW = new Date('2026-03-05T10:30:00Z');

/** The components of dashboard and public pages with their styles. */
export function serveGallery(): Handle {
  const files = galleryFiles();
  return async ({ url = '/' }, response) => {
    const file = files.get(url);
    if (!file) return void response.writeHead(404).end();
    response.writeHead(200, { 'Content-Type': file.contentType }).end(file.plain);
  };
}

/** The files by address. */
function galleryFiles(): ReadonlyMap<string, SiteFile> {
  const { folder, files } = loadAssets();
  const view = (address: string) => galleryView(`/${folder}`, address);
  const page = (text: Html) => siteFile({ text: String(text), contentType: 'text/html; charset=utf-8' });
  return new Map([
    ...files,
    ['/', page(framedPage(galleryPage(view('/')), view('/'), 3))],
    ['/guest', page(guestGallery(view('/guest')))],
  ]);
}

/** The view of the owner of an imaginary clinic. */
function galleryView(assets: string, address: string): View {
  return {
    language: 'en',
    format: formatFor('en', { zone: 'Europe/Lisbon', country: 'PT' }),
    session: {
      sessionId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a03',
      tenantId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a01',
      clinicName: 'Clínica da Luz',
      clinicConfig: null,
      clinicCountry: 'PT',
      personId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a02',
      personName: 'Ana Martins',
      role: 'owner',
      portalLinkId: null,
      apiKeyId: null,
      scopes: null,
      formToken: 'none',
    },
    address,
    assets,
    guides: '/docs',
    now: NOW,
  };
}

/** The components of the public booking pages. */
function guestGallery({ language, assets }: View): Html {
  return document(
    { title: 'Components of the public page', language, assets },
    html`<main id="main" class="guest">
      <div class="clinic">
        <p>
          <strong><a href="#elsewhere">Clínica da Luz</a></strong> <a href="#elsewhere">Português</a>
        </p>
        <p class="soft">Rua da Luz 1, Lisboa <a href="#elsewhere">Map</a></p>
      </div>
      <h1>Components of the public page</h1>
      ${notice('good', 'It is booked.')} ${notice('bad', 'Another patient was quicker.')}
      <h2>Offers</h2>
      <ul class="offers">
        <li>
          <a class="card" href="#elsewhere"><strong>Check-up</strong> 30 minutes, €50.00</a>
        </li>
        <li>
          <a class="card" href="#elsewhere"
            ><strong>A service with a name that needs two lines on a phone</strong> 1 hour</a
          >
        </li>
      </ul>
      <p class="chosen"><strong>Check-up</strong> <a href="#elsewhere">Choose another</a></p>
      ${weekOfDays()} ${timesForm()}
      <div class="card">
        ${facts([
          ['When', 'Thursday 5 March 2026, 10:30'],
          ['With', 'Dr Rui Costa'],
        ])}
        <p><a href="#elsewhere">Into the calendar</a></p>
      </div>
      <footer>Times in Western European Time</footer>
    </main>`,
  );
}

/** A day that is shown, one with free times, and one with none. */
function weekOfDays(): Html {
  return html`<nav class="offered-week" aria-label="Days">
      <a href="#elsewhere" aria-current="date">Thu <b>5</b> <small>12</small></a>
      <a href="#elsewhere">Fri <b>6</b> <small>4</small></a>
      <span class="soft">Sat <b>7</b> <small>–</small></span>
    </nav>
    <p class="days"><a href="#elsewhere">← Earlier days</a> <a href="#elsewhere">Later days →</a></p>`;
}

function timesForm(): Html {
  return html`<form action="#elsewhere">
    <h3>Morning</h3>
    <div class="times">
      ${['9:00', '9:30', '10:00', '10:30', '11:00'].map((time) => html`<button class="second">${time}</button>`)}
    </div>
    ${field({ name: 'name', label: 'Your name', isRequired: true })}
    ${field({ name: 'phone', label: 'Your phone number', type: 'tel', error: 'Enter your full phone number.' })}
    <p class="actions"><button>Book</button></p>
  </form>`;
}
