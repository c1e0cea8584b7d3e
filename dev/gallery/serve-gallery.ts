import { loadAssets } from '../../dashboard/assets.ts';
import { formatFor } from '../../dashboard/language/format.ts';
import { framedPage } from '../../dashboard/layout/frame.ts';
import type { View } from '../../dashboard/layout/view.ts';
import type { Handle } from '../../dashboard/serving/listen.ts';
import type { Html } from '../../pages/html.ts';
import { siteFile, type SiteFile } from '../../pages/site-file.ts';
import { galleryPage } from './gallery-page.ts';
import { guestGallery } from './guest-gallery.ts';

/** When the page is looked at, always, so that pictures of it can be compared. */
const NOW = new Date('2026-03-05T10:30:00Z');

/** What the dashboard and the public page are made of, with the styles that they have. */
export function serveGallery(): Handle {
  const files = galleryFiles();
  return async ({ url = '/' }, response) => {
    const file = files.get(url);
    if (!file) return void response.writeHead(404).end();
    response.writeHead(200, { 'Content-Type': file.contentType }).end(file.plain);
  };
}

/** By address. */
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

/** Of the owner of a clinic that does not exist. */
function galleryView(assets: string, address: string): View {
  return {
    language: 'en',
    format: formatFor('en', 'Europe/Lisbon'),
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
